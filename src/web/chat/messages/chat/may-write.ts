import { createContext, useContext } from 'react'

/** False in a chat that the person may only read. Without a chat around it, true. */
export const MayWrite = createContext(true)

export const useMayWrite = (): boolean => useContext(MayWrite)
