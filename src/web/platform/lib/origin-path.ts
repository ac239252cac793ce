import { createContext } from 'react'

/** The page that a visitor of the login area wanted, with query and hash; null if unknown, undefined elsewhere. */
export const OriginPath = createContext<string | null | undefined>(undefined)
