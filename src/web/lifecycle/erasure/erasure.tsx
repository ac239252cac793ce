export { DeleteAccount } from './delete-account.tsx'
export { DeletePerson } from './delete-person.tsx'
