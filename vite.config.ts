import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { codeOfFrames } from './scripts/code-of-frames.ts'
import { compressFiles } from './scripts/compress-files.ts'
import { folderTexts } from './scripts/folder-texts.ts'
import { importAgain } from './scripts/import-again.ts'
import { outsideBuilds } from './scripts/outside-builds.ts'
import { pdfResources } from './scripts/pdf-resources.ts'
import { preloadViews } from './scripts/preload-views.ts'
import { slimContracts } from './scripts/slim-contracts.ts'

/** The libraries of every page change rarely: apart, they stay cached through our own releases. */
const foundation =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|i18next|react-i18next|@tanstack\/(react-router|router-core|history|react-store|store))\//

const chat =
  /src\/web\/chat\/(?:mentions\/(?:mentions|mention-store|use-mention-menu)\.|(messages|composer)\/)(?!messages\.tsx|chat\/(?:earlier-texts|own-chat|use-leaf)|branching\/(?!lazy-)|standstill\/(standstill|task-actions)|blocks\/(checkpoint-items|checkpoint-name|read-))/

/** Small things of the first signed-in page that few other views have: one file each would weigh more than what is in it. */
const frame =
  /lucide-react\/dist\/esm\/icons\/(?:chevrons-up-down|house|keyboard|archive|bookmark|languages|cpu|wifi-off|circle-dot|panel-left|bot|folder|arrow-down|square-pen|user|log-out)\.|src\/shared\/chat\/memory\/memory\.|src\/web\/(?:platform\/commands\/commands|platform\/ui\/kbd|platform\/ui\/(?:marked|avatar)|platform\/lib\/setup-due|runs\/sessions\/undo|chat\/projects\/(?:projects|moving|sidebar\/section-height)|platform\/lib\/me\/sign-out|lifecycle\/user\/column-width|lifecycle\/shell\/(?:nav|view-names))\./

/** What is opened by hand, or comes when a page stands: it finds its own imports. Their names would weigh on the first page. */
const later =
  /\/(onboarding|administration-view|assistant-pages|library-view|library-sidebar|upload-panel|documents|knowledge-section|shortcuts-sheet|palette|mention-menu|session-expired-dialog|chat-panel|debug-view|preview-view|models-view|tool-view|tools-view|user-view|reset-page|sign-up-page|verify-page|check-email-page|forgot-page|unsubscribe-page|new-password-page|networks|prompt-pages|prompt-dock|slash-menu|share-dialog|own-pages|servers-view|server-view|project-pages|projects-section|project-badge|move-dialog|notifications|notification-pages|imports-view|notifications-tab|reply-memory|memory-view|connectors-view|bench-view|setup-view|inbox-view|trash-view|search-view|memory-section|schedule-pages|queue-list|way-choice|send-to-queue|send-comparison|compare-list|comparison-reply|context-gauge|selection-bar|steering-block|summary-note|push-setting|installed-app|received-view|home-view|photo-dialog|picker-dialog|receipt-page|shared-page|consent-view|not-implemented-view|embedded-page|standstill|versions-dialog|document-debug|invitation-page|code-app-set-up|recovery-codes|rename-field|price-question|chat-access|passage-card|doubt-card|query-number|for-role|undo-bar|pause-button|cut-note|waiting-messages|temporary-chats|message-files|exports|second-step-page|resend-verification)-/

const api = { '/api': { target: process.env.ATRIUM_API ?? 'http://127.0.0.1:3000' } }

/** What a signed-in visitor's page loads before its code can ask for it: see index.html. */
const early = {
  shell: 'src/web/lifecycle/shell/home.tsx',
  chat: 'src/web/chat/messages/chat-view.tsx',
  preview: 'src/web/knowledge/preview/preview-view.tsx',
  pdf: 'src/viewers/pdf/view.tsx',
}
const threads = {
  threads: ['pdfjs-dist/legacy/build/pdf.worker.min.mjs', 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs'],
}

/** Oldest supported browsers; docs/OPERATIONS.md names them, and `src/supported-browsers.test.ts` checks the functions. */
const browsers = ['chrome124', 'edge124', 'firefox128', 'safari17.4']

export default defineConfig({
  // Named here, so that nothing is looked for in the folders above the checkout.
  css: { postcss: { plugins: [] } },
  tsconfig: 'tsconfig.web.json',
  plugins: [
    react(),
    tailwind(),
    folderTexts(),
    slimContracts(),
    importAgain(),
    preloadViews(early, threads),
    pdfResources(),
    codeOfFrames(),
    outsideBuilds(),
    compressFiles(),
  ],
  resolve: {
    // The modern build calls functions that Firefox ESR and Safari lack.
    alias: [{ find: /^pdfjs-dist$/, replacement: 'pdfjs-dist/legacy/build/pdf.mjs' }],
  },
  // Workers load what they need when they need it.
  worker: { format: 'es', rolldownOptions: { tsconfig: 'tsconfig.web.json' } },
  // While developing, the packages of workers are found with the others: found later, they would load the page anew.
  optimizeDeps: { entries: ['index.html', 'src/web/**/*-worker.ts'] },
  build: {
    outDir: 'dist/web',
    manifest: true,
    license: { fileName: 'licences.md' },
    target: browsers,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, deps) =>
        later.test(file) ? deps.filter((name) => name.endsWith('.css')) : deps,
    },
    // Some grammars of the code highlighter are large; each is loaded only for its language.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // How long its parts take on a busy machine is of no use to whoever starts the product.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // The first page has no schema (see slim-contracts); the chat reads its stream with them.
            { name: 'schemas', test: /node_modules\/zod\/|src\/shared\/platform\/primitives/, priority: 4 },
            { name: 'foundation', test: foundation, priority: 3 },
            // The entry itself stays an entry: the manifest and the page name it.
            // What many views share is one file: dozens of small ones would compress badly.
            { name: 'frame', test: frame, priority: 1.5 },
            {
              name: 'base',
              test: /src\/web\/platform\/(ui|lib|i18n)\/(?!select\.tsx|tabs\.tsx|files\/file-|tool-words|use-action)|lucide-react\/dist/,
              minShareCount: 8,
              priority: 1,
            },
            // What the chat shares with others is its own, but for what it loads when it is needed.
            { name: 'chat', test: chat, minShareCount: 2, priority: 1 },
            { name: 'start', tags: ['$initial'], test: /^(?!.*(\/main\.tsx|\/index\.html))/, priority: 2 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: api,
    fs: { allow: [import.meta.dirname, realpathSync(join(import.meta.dirname, 'node_modules'))] },
  },
  preview: { host: '127.0.0.1', proxy: api },
})
