import { writeClientId } from '../../../src/server/identity/programs/client-id.ts'
import type { TestApp } from '../app.ts'
import { aSession, type TestUser } from '../builders.ts'
import { aSpareClass } from '../classified.ts'
import { aBrandLogo } from '../company-brand.ts'
import { aDomain } from '../company-domain.ts'
import { aSpareNetwork } from '../company-network.ts'
import { withdrawnTerms } from '../company-terms.ts'
import { aDocument } from '../stored-document.ts'
import { aMedium } from '../stored-media.ts'
import { anUnansweredGroup } from '../unanswered-group.ts'
import {
  aBudget,
  aBystander,
  aChatAccess,
  anInvitation,
  aPasskey,
  aPersonalAccount,
  aSignIn,
} from './account-things.ts'
import { anApproval } from './approval-things.ts'
import {
  aBench,
  aFact,
  aFile,
  anEmbedOf,
  anExport,
  anImport,
  anImportUpload,
  aQueuedMessage,
} from './chat-things.ts'
import { aConnector } from './connector-things.ts'
import {
  aChannel,
  aConnection,
  aDatabase,
  aGroup,
  aHold,
  aJob,
  anAnnouncement,
  anObject,
  aProvider,
} from './house-things.ts'
import { aCall, aKey, aLink, aWebhook } from './outside-things.ts'
import { aRun } from './run-things.ts'
import { aSchedule } from './schedule-things.ts'
import {
  anAssistant,
  aProject,
  aProjectMember,
  aPrompt,
  aPromptShare,
  aShare,
  aTool,
} from './shared-things.ts'

/** One thing of each kind, with its names in paths, queries and bodies. */
export type Things = Awaited<ReturnType<typeof someThings>>

type Whose = { owner: TestUser; companyId: string; isShared: boolean; hasVectors?: boolean }

/** Creates things of the owner: an answered chat with an input request, its checkpoint, execution and file, an assistant, a connection. */
export async function someThings(app: TestApp, { owner, companyId, isShared, hasVectors = true }: Whose) {
  const { id: sessionId, messageIds } = await aSession(app, owner, { turns: 1, title: 'Owned' })
  const [question = '', reply = ''] = messageIds
  const { runId, executionId } = await aRun(app, { owner, sessionId, question, reply })
  const whose = isShared ? companyId : null
  const bystander = await aBystander(app, companyId)
  const [document, assistantId, promptId, mediaId] = await Promise.all([
    aDocument(app, owner),
    anAssistant(app, owner, whose),
    aPrompt(app, owner, whose),
    aMedium(app, owner, runId),
  ])
  const made = await allOf({
    queuedId: aQueuedMessage(app, owner, sessionId),
    fileId: aFile(app, owner),
    factId: aFact(app, owner, sessionId),
    exportId: anExport(app, owner, sessionId),
    importId: anImport(app, owner),
    importUploadId: anImportUpload(app, owner),
    jobId: aJob(app),
    // By far the slowest to create.
    objectId: hasVectors ? anObject(app, owner, document) : document.chunkId,
    connectionId: aConnection(app),
    databaseId: aDatabase(app),
    channelId: aChannel(app, companyId),
    slackChannelId: aChannel(app, companyId),
    teamsChannelId: aChannel(app, companyId, 'teams'),
    holdId: aHold(app, owner),
    invitationId: anInvitation(app, owner, companyId),
    domain: aDomain(app, companyId),
    networkId: aSpareNetwork(app, companyId),
    classId: aSpareClass(app, companyId),
    receiver: 'web',
    personalId: aPersonalAccount(app, owner),
    termsVersion: withdrawnTerms(app, companyId),
    logoId: aBrandLogo(app, companyId),
    unansweredId: anUnansweredGroup(app, owner, document.workspaceId),
    announcementId: anAnnouncement(app, companyId),
    groupId: aGroup(app, companyId),
    passkeyId: aPasskey(app, owner),
    providerId: aProvider(app),
    budgetId: aBudget(app, owner),
    accessId: aChatAccess(app, owner, bystander),
    projectId: aProject(app, owner.id),
    unmanagedProjectId: aProject(app, null, companyId),
  })
  const parts = await Promise.all([
    aLink(app, owner, sessionId, reply, document),
    anEmbedOf(app, owner, assistantId),
    aSignIn(app, owner, document),
    aWebhook(app, owner),
    aCall(app, owner),
    aTool(app, owner, whose, bystander),
    aBench(app, owner, reply),
    aKey(app, owner),
    aShare(app, assistantId, bystander, companyId),
    aPromptShare(app, promptId, bystander, companyId),
    aProjectMember(app, document.workspaceId, bystander, companyId),
    aSchedule(app, { owner, companyId, runId }),
    aConnector(app, owner),
    anApproval(app, { owner, companyId, runId, sessionId }),
  ])
  const [link, embed, signIn, webhook, program, tool, bench, key, ...shares] = parts
  const [assistantShareId, promptShareId, projectMemberId, schedule, connector, approval] = shares
  return {
    ...{ sessionId, messageId: reply, question, branchId: question, runId, executionId },
    ...{ checkpointId: `${runId}:step1`, mediaId, pictureId: mediaId, assistantId },
    ...{ promptId, assistantShareId, promptShareId, projectMemberId, ...schedule, ...connector, ...approval },
    ...{ ...document, wireFileId: `file-${document.documentId}` },
    ...{ ...link, ...embed, ...signIn, ...webhook, ...program, ...tool, ...bench, ...key, ...made },
    ...{ userId: bystander, memberId: bystander, companyId, chatId: sessionId },
    ...{
      provider: 'google',
      step: 'mail',
      theme: 'light',
      control: 'feedback',
      lng: 'en',
      brandVersion: `${companyId}-1`,
      ns: 'common',
      version: '1',
      collection: 'Documents',
      kind: 'embedding',
      modelName: 'other',
      accountKind: 'jira',
      actionTool: 'send_mail',
    },
    clientId: writeClientId(app.deps, { name: 'Desk', redirect_uris: ['https://desk.example/back'] }),
  }
}

/** Waits for all values of an object concurrently. */
async function allOf<T extends Record<string, string | Promise<string>>>(
  values: T,
): Promise<Record<keyof T, string>> {
  const entries = Object.entries(values).map(async ([name, value]) => [name, await value])
  return Object.fromEntries(await Promise.all(entries))
}
