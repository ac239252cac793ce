import {
  AudioLines,
  Bot,
  Calculator,
  Check,
  CircleCheck,
  CirclePause,
  CloudSun,
  FileSearch2,
  Folder,
  FoldVertical,
  Globe,
  Inbox,
  type LucideIcon,
  MessageSquare,
  Puzzle,
  Server,
  Terminal,
  Wrench,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Mark } from '../../../platform/ui/mark.tsx'
import type { Slide } from './slides.ts'

/** Decorative illustration of a slide. */
export function SlideArt({ slide }: { slide: Slide }) {
  const Art = arts[slide]
  return (
    <div aria-hidden className="welcome-art">
      <div className="welcome-mini">
        <Art />
      </div>
    </div>
  )
}

function Mission() {
  return (
    <>
      <Card className="justify-self-end">
        <Lines widths={[150, 96]} />
      </Card>
      <Joint />
      <Mark className="size-16 justify-self-center" />
      <Joint />
      <Card row>
        <Server className="icon text-accent" />
        <Lines widths={[180]} />
        <CircleCheck className="icon-14 ml-auto text-success" />
      </Card>
    </>
  )
}

function Workspace() {
  const rows: [LucideIcon, number][] = [
    [MessageSquare, 110],
    [Folder, 84],
    [Bot, 96],
    [Wrench, 64],
  ]
  return (
    <>
      <Card>
        {rows.map(([Icon, width], at) => (
          <span key={width} className="welcome-line">
            <Icon className={at === 0 ? 'icon text-accent' : 'icon text-ink-3'} />
            <Lines widths={[width]} />
          </span>
        ))}
      </Card>
      <Card row>
        <Inbox className="icon text-ink-3" />
        <Lines widths={[150]} />
        <CirclePause className="icon-14 ml-auto text-warning" />
      </Card>
    </>
  )
}

function Anywhere() {
  const places: [LucideIcon, number][] = [
    [MessageSquare, 170],
    [Puzzle, 130],
    [Globe, 150],
  ]
  return places.map(([Icon, width]) => (
    <Card key={width} row>
      <span className="welcome-tile">
        <Icon className="icon text-ink-2" />
      </span>
      <Lines widths={[width, width - 56]} />
      <Mark className="ml-auto size-5" />
    </Card>
  ))
}

function Agents() {
  return (
    <Card>
      {[160, 190, 120].map((width) => (
        <span key={width} className="welcome-line">
          <CircleCheck className="icon text-success" />
          <Lines widths={[width]} />
        </span>
      ))}
      <span className="welcome-line welcome-asked">
        <CirclePause className="icon text-warning" />
        <Lines widths={[110]} />
        <span className="welcome-yes">
          <Check className="icon-12" />
        </span>
      </span>
      <span className="welcome-line">
        <Bot className="icon text-ink-3" />
        <Lines widths={[140]} />
      </span>
    </Card>
  )
}

function Data() {
  const { t } = useTranslation('onboarding')
  return (
    <>
      <Card>
        <p className="welcome-claim">
          {t('carousel.claim')} <span className="welcome-cite">1</span>
        </p>
      </Card>
      <Joint />
      <Card>
        <span className="welcome-line text-12 text-ink-3">
          <FileSearch2 className="icon-14" />
          <span className="truncate">{t('carousel.file')}</span>
          <span className="num ml-auto">{t('carousel.page')}</span>
        </span>
        <Lines widths={[282, 240]} />
        <span className="welcome-marked">
          <Lines widths={[270, 190]} />
        </span>
        <Lines widths={[262, 130]} />
      </Card>
    </>
  )
}

const toolIcons = [Globe, Terminal, Calculator, CloudSun, FoldVertical, FileSearch2, AudioLines, Wrench]

function Toolkit() {
  return (
    <div className="welcome-tools">
      {toolIcons.map((Icon, at) => (
        <span key={Icon.displayName ?? at} className="welcome-tool">
          <Icon className={at === 0 ? 'icon-20 text-accent' : 'icon-20 text-ink-2'} />
        </span>
      ))}
    </div>
  )
}

function Ready() {
  return (
    <span className="welcome-done">
      <Check className="size-9" />
    </span>
  )
}

const arts: Record<Slide, ComponentType> = {
  mission: Mission,
  workspace: Workspace,
  anywhere: Anywhere,
  agents: Agents,
  data: Data,
  toolkit: Toolkit,
  ready: Ready,
}

type CardProps = { children: React.ReactNode; row?: boolean; className?: string }

function Card({ children, row = false, className = '' }: CardProps) {
  return (
    <span className={`welcome-card ${row ? 'welcome-line' : 'welcome-stack'} ${className}`}>{children}</span>
  )
}

/** Placeholder lines of text; widths in pixels. */
function Lines({ widths }: { widths: number[] }) {
  return (
    <span className="welcome-lines">
      {widths.map((width) => (
        <span key={width} style={{ width }} />
      ))}
    </span>
  )
}

function Joint() {
  return <span className="welcome-joint" />
}
