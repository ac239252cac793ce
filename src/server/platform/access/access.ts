export { type Audiences, createAudiences } from './audience.ts'
export { connectorsReaching } from './connector-rules.ts'
export { admit, findAllowed, type Judged, judge } from './find.ts'
export { mayPerhapsRead, ownersToSearch, readableRow, type TextThing } from './find-ways.ts'
export {
  assertOpen,
  closedFeatures,
  createGrants,
  createPermit,
  type Grants,
  isNotGranted,
  type Permit,
  type Thing,
} from './grants.ts'
export { type Admit, assertDecided, assertMayAssistant, createAdmit } from './guard.ts'
export { createNetworks, type Networks } from './networks.ts'
export {
  administeredBy,
  anonymous,
  companiesOf,
  companyToShareWith,
  isFor,
  isOpenTo,
  keyOf,
  type Person,
  type Principal,
  reaches,
  shareOf,
  type Visitor,
} from './principal.ts'
export { isMember, namingCompany } from './project-rules.ts'
export { isAssistantRecipient, isPromptRecipient, isToolRecipient } from './recipient-rules.ts'
export { isInTrashOf, isPresent, may, waysToReadDocument } from './rules.ts'
export { tellWithdrawn, withdrawnChannel } from './withdraw.ts'
