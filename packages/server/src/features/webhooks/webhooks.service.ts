import { randomBytes } from 'node:crypto'
import type { Webhook, WebhookDelivery, WebhookInput } from '@benchwatch/contract/messages/webhooks'
import type { UserActor } from '../../db/actor.ts'
import { type AuditEntry, recordAudit } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { enqueueJob } from '../../db/queues/jobs.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { DELIVERY_MS, newMessageId, SEND_WEBHOOKS_JOB } from './deciding.service.ts'
import { insertDeliveries, reopenDelivery } from './deliveries.store.ts'
import { bodyOf } from './formats.ts'
import { addressIn, blockList, mayReach } from './post.ts'
import { hasDelivery, isOwner, readDeliveries, readWebhooks } from './webhooks.queries.ts'
import {
  deleteWebhook,
  insertWebhook,
  lockWebhook,
  lockWebhooksOf,
  replaceSecret,
  replaceWebhook,
  type StoredWebhook,
} from './webhooks.store.ts'

type Changing = Pick<FeatureContext, 'db' | 'clock' | 'config'>

interface Call {
  id: string
  caller: UserActor
}

/** More than a user needs, because one webhook can send everything; limits what one user makes the server send. */
const MAX_WEBHOOKS = 20
const SECRET_BYTES = 32
/** How long the secret before the last one still signs. */
const PREVIOUS_SECRET_MS = 86_400_000

/** Throws bad-change, too-many-webhooks. */
export async function createWebhook(
  { db, clock, config }: Changing,
  { input, caller }: { input: WebhookInput; caller: UserActor },
): Promise<Webhook & { secret: string }> {
  const secret = newSecret()
  return inTransaction(db, async (trx) => {
    if ((await lockWebhooksOf(trx, caller.id)) >= MAX_WEBHOOKS)
      throw problem(
        'too-many-webhooks',
        `You already have ${MAX_WEBHOOKS} webhooks. Delete one that you no longer need.`,
      )
    const url = allowedUrl(input.url, config)
    const at = clock.now()
    const routingKey = routingKeyOf(input, null)
    const secrets = { url, routingKey, secret, previousSecret: null }
    const id = await insertWebhook(trx, { ownerId: caller.id, input, secrets, at })
    await audit(trx, { id, caller, at }, changedProperties(undefined, auditedOf(input, url)))
    return { ...(await readBack(trx, { id, caller, at })), secret }
  })
}

/** Throws not-found, bad-change. */
export async function updateWebhook(
  { db, clock, config }: Changing,
  { id, input, caller }: Call & { input: WebhookInput },
): Promise<Webhook> {
  return inTransaction(db, async (trx) => {
    const webhook = await needOwn(trx, { id, caller })
    const url = allowedUrl(input.url, config)
    const at = clock.now()
    const secrets = { ...webhook.secrets, url, routingKey: routingKeyOf(input, webhook.secrets.routingKey) }
    const entries: AuditEntry[] = changedProperties(auditedOf(webhook, webhook.secrets.url), auditedOf(input, url))
    // The audit log contains no secrets, which an address may contain.
    if (url !== webhook.secrets.url) entries.push({ action: 'update', property: 'url' })
    if (secrets.routingKey !== webhook.secrets.routingKey) entries.push({ action: 'update', property: 'routingKey' })
    const isRestarted = input.isOn && (!webhook.isOn || webhook.goneAt !== null)
    await replaceWebhook(trx, { webhook, input, secrets, isRestarted })
    await audit(trx, { id: webhook.id, caller, at }, entries)
    return readBack(trx, { id: webhook.id, caller, at })
  })
}

/** Deletes a webhook of the caller or, for administrators, of a user whom they manage. Throws not-found. */
export async function removeWebhook({ db, clock }: Changing, { id, caller }: Call): Promise<void> {
  await inTransaction(db, async (trx) => {
    const at = clock.now()
    const row = rowId(id)
    const [seen] = row === undefined ? [] : await readWebhooks(trx, { caller, at, id: row })
    const webhook = row === undefined || !seen ? undefined : await lockWebhook(trx, row)
    if (!webhook) throw noSuchWebhook()
    await audit(trx, { id: webhook.id, caller, at }, [{ action: 'deleted', oldValue: webhook.name }])
    await deleteWebhook(trx, webhook.id)
  })
}

/** Throws not-found. */
export async function rotateSecret(
  { db, clock }: Changing,
  { id, caller }: Call,
): Promise<{ secret: string; previousSecretUntil: string }> {
  const secret = newSecret()
  return inTransaction(db, async (trx) => {
    const webhook = await needOwn(trx, { id, caller })
    const at = clock.now()
    const previousUntil = new Date(at.getTime() + PREVIOUS_SECRET_MS)
    const secrets = { ...webhook.secrets, secret, previousSecret: webhook.secrets.secret }
    await replaceSecret(trx, { webhook, secrets, previousUntil })
    await audit(trx, { id: webhook.id, caller, at }, [{ action: 'update', property: 'secret' }])
    return { secret, previousSecretUntil: previousUntil.toISOString() }
  })
}

/** Queues a test, which is tried once. Throws not-found. */
export async function testWebhook({ db, clock, config }: Changing, { id, caller }: Call): Promise<void> {
  await inTransaction(db, async (trx) => {
    const webhook = await needOwn(trx, { id, caller })
    const at = clock.now()
    const messageId = newMessageId()
    const delivery = {
      webhookId: webhook.id,
      messageId,
      occasion: 'test' as const,
      key: messageId,
      subject: messageId,
      eventId: null,
      customerId: null,
      body: bodyOf(webhook.format, { at, publicUrl: config.publicUrl, occasion: 'test', name: webhook.name }),
      giveUpAt: new Date(at.getTime() + DELIVERY_MS),
    }
    await insertDeliveries(trx, { deliveries: [delivery], at })
    await enqueueJob(trx, { name: SEND_WEBHOOKS_JOB, payload: {} })
  })
}

/** Throws not-found; status-conflict for a delivery that waits, and for a webhook that sends nothing. */
export async function resendDelivery(
  { db, clock }: Changing,
  { id, deliveryId, caller }: Call & { deliveryId: string },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const webhook = await needOwn(trx, { id, caller })
    const delivery = Number(deliveryId)
    if (!(await hasDelivery(trx, { webhookId: webhook.id, id: delivery, scope: caller.scope })))
      throw problem('not-found', 'There is no such delivery. It may have been deleted. Reload the list.')
    if (!webhook.isOn || webhook.goneAt !== null)
      throw problem('status-conflict', 'The webhook is off. Switch it on, then send again.')
    const at = clock.now()
    const giveUpAt = new Date(at.getTime() + DELIVERY_MS)
    if (!(await reopenDelivery(trx, { id: delivery, at, giveUpAt })))
      throw problem('status-conflict', 'The delivery is waiting and will be sent.')
    await audit(trx, { id: webhook.id, caller, at }, [{ action: 'sent again', newValue: deliveryId }])
    await enqueueJob(trx, { name: SEND_WEBHOOKS_JOB, payload: {} })
  })
}

/** Returns one page of the deliveries of one of the caller's webhooks. Throws not-found. */
export async function listDeliveries(
  db: Db,
  { id, caller, ...page }: Call & { limit: number; offset: number },
): Promise<{ values: WebhookDelivery[]; total: number }> {
  const row = rowId(id)
  if (row === undefined || !(await isOwner(db, { id: row, userId: caller.id }))) throw noSuchWebhook()
  return readDeliveries(db, { webhookId: row, scope: caller.scope, ...page })
}

async function needOwn(trx: Trx, { id, caller }: Call): Promise<StoredWebhook> {
  const row = rowId(id)
  const webhook = row === undefined ? undefined : await lockWebhook(trx, row)
  if (webhook?.ownerId !== caller.id) throw noSuchWebhook()
  return webhook
}

function noSuchWebhook(): ProblemError {
  return problem('not-found', 'You have no such webhook. It may have been deleted. Reload the list.')
}

async function readBack(trx: Trx, { id, caller, at }: { id: number; caller: UserActor; at: Date }): Promise<Webhook> {
  const [webhook] = await readWebhooks(trx, { caller, at, id })
  if (!webhook) throw new Error(`The webhook ${id} could not be read.`)
  return webhook
}

function audit(
  trx: Trx,
  { id, caller, at }: { id: number; caller: UserActor; at: Date },
  entries: readonly AuditEntry[],
): Promise<void> {
  return recordAudit(trx, { entityType: 'webhook', entityId: String(id), actor: caller, at }, entries)
}

function auditedOf(
  { name, format, occasions, filter, isOn }: Pick<WebhookInput, 'name' | 'format' | 'occasions' | 'filter' | 'isOn'>,
  url: string,
): object {
  return { name, host: new URL(url).host, format, occasions, filter, isOn }
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Returns the normalised address; names are resolved only when something is sent. */
function allowedUrl(text: string, { webhooks }: FeatureContext['config']): string {
  const hasPrivate = webhooks.networks.length > 0
  const wanted = hasPrivate ? 'an https or http address' : 'an https address'
  if (!URL.canParse(text)) throw badField('url', `must be ${wanted}, such as https://example.com/hooks.`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw badField('url', 'must not contain a user name or a password. Check the signature instead.')
  const address = addressIn(url)
  if (address !== undefined && !mayReach(address, blockList(webhooks.networks)))
    throw badField('url', 'belongs to a private network. Whoever operates this server can allow it (WEBHOOK_NETWORKS).')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && hasPrivate))
    throw badField('url', `must be ${wanted}.`)
  return url.href
}

function routingKeyOf({ format, routingKey }: WebhookInput, kept: string | null): string | null {
  const key = routingKey?.trim() || kept
  if (format !== 'pagerduty') return null
  if (key === null) throw badField('routingKey', 'must be the integration key of PagerDuty.')
  return key
}

function badField(field: keyof WebhookInput, message: string): ProblemError {
  const path = `body.${field}`
  return problem('bad-change', `${path}: ${message}`, { errors: [{ path, message }] })
}
