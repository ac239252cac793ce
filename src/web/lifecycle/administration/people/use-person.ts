import { useQuery } from '@tanstack/react-query'
import { getManagedUser } from '#shared/identity/administration/administration.ts'
import { addGroupMember, listGroups, removeGroupMember } from '#shared/identity/administration/groups.ts'
import { getHouseUsage } from '#shared/money/usage/usage.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { personKey } from '../use-managed.ts'

/** Days of usage shown for a person, today included. */
export const USAGE_DAYS = 30
const DAY_MS = 86_400_000

/** Returns a person with their groups and the number of their sign-ins. */
export function usePerson(userId: string) {
  return useQuery({
    queryKey: [...personKey, userId],
    queryFn: ({ signal }) => call(getManagedUser, { params: { userId }, signal }),
  })
}

/** Returns what a person used in the last 30 days (UTC). */
export function usePersonUsage(userId: string) {
  return useQuery({
    queryKey: [...personKey, userId, 'usage'],
    queryFn: ({ signal }) => {
      const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
      return call(getHouseUsage, {
        query: { user_id: userId, from: day(USAGE_DAYS - 1), to: day(0) },
        signal,
      })
    },
    select: ({ sum }) => sum,
  })
}

/** Returns the first 100 groups that match, by company and name. */
export function useMatchingGroups(q: string) {
  return useQuery({
    queryKey: [...personKey, 'groups', q],
    queryFn: ({ signal }) => call(listGroups, { query: { q }, signal }),
    select: ({ items }) => items,
    placeholderData: (before) => before,
  })
}

/** Adds a person to a group or removes them. */
export const setInGroup = (groupId: string, memberId: string, isIn: boolean) =>
  call(isIn ? addGroupMember : removeGroupMember, { params: { groupId, memberId } })
