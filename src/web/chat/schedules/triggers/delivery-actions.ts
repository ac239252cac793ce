import {
  type CallData,
  type Delivery,
  renewTriggerSecret,
  replayDelivery,
  testTrigger,
} from '#shared/chat/schedules/triggers.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { keyOfLog } from '../use-schedules.ts'
import { keyOfDeliveries, keyOfSecret } from './use-deliveries.ts'

/** Makes a secret and returns it. */
export async function renewSecret(scheduleId: string): Promise<string> {
  const { secret, ...facts } = await call(renewTriggerSecret, { params: { scheduleId }, body: {} })
  queryClient.setQueryData(keyOfSecret(scheduleId), facts)
  return secret
}

/** Delivers test data. The same `client_id` starts one run. */
export async function sendTest(scheduleId: string, client_id: string, data: CallData): Promise<Delivery> {
  const made = await call(testTrigger, { params: { scheduleId }, body: { client_id, data } })
  await readAgain(scheduleId)
  return made
}

export async function replay(
  scheduleId: string,
  triggerDeliveryId: string,
  client_id: string,
): Promise<Delivery> {
  const params = { scheduleId, triggerDeliveryId }
  const made = await call(replayDelivery, { params, body: { client_id } })
  await readAgain(scheduleId)
  return made
}

async function readAgain(scheduleId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keyOfDeliveries(scheduleId) })
  await queryClient.invalidateQueries({ queryKey: keyOfLog(scheduleId) })
}
