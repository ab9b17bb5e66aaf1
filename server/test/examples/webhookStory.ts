import { setTimeout as sleep } from 'node:timers/promises'
import { Receiver } from '../../../tests/support/receiver.ts'
import type { Recorder } from './recorder.ts'

/** A shop gets events, loses one, and changes its secret. */
export async function receiveEvents(at: Recorder): Promise<void> {
  const shop = await Receiver.start()
  try {
    const body = { url: shop.url, types: ['points.adjusted', 'points.transferred'], ordered: true }
    const { json } = await at.show('createWebhook', { body })
    const path = { webhookID: json.id as string }
    await at.show('testWebhook', { path })
    await at.show('updateWebhook', { path, body: { description: 'Orders of the shop' } })
    // Slow enough that a replay has not ended when its request is answered.
    shop.respond = (_, response) => sleep(500).then(() => void response.end())
    await at.show('replayWebhook', { path, body: { from: '1', to: '2' } })
    await at.until('getWebhook', { path }, ({ replay }) => replay === null)
    await at.show('getWebhook', { path })
    await at.show('listWebhooks')
    await at.show('listWebhookDeliveries', { path })
    const statuses = [500]
    shop.respond = async (_, response) => {
      const status = statuses.shift()
      if (status === undefined) await sleep(500)
      response.writeHead(status ?? 200).end()
    }
    await at.ask('replayWebhook', { path, body: { from: '1', to: '3' } })
    await at.until('getWebhook', { path }, ({ blockedEventId }) => blockedEventId !== null)
    await at.show('skipWebhookEvent', { path })
    await at.until('getWebhook', { path }, ({ replay }) => replay === null)
    await at.show('rotateWebhookSecret', { path, body: { overlapSeconds: 86_400 } })
    await at.show('deleteWebhook', { path })
  } finally {
    shop.close()
  }
}
