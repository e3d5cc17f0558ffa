import type { Trx } from '../../db/connect.ts'
import { newToken, tokenHash } from '../../platform/secret-token.ts'
import { insertLinks, type Warning } from './unsubscribe.store.ts'

/** The warning that a link unsubscribes from, and the event whose e-mail contains it. */
export interface LinkInput extends Warning {
  eventId: number
  /** Display name, such as "Pump B (P9-B)". */
  componentName: string
}

/** 3-decisions 7. */
const LINK_DAYS = 7

/**
 * Creates a link for each e-mail, in the transaction that queues it. Returns the tokens in the order of `links`.
 * Only the e-mail contains the token; the database stores its hash.
 */
export async function newUnsubscribeLinks(
  trx: Trx,
  { at, links }: { at: Date; links: readonly LinkInput[] },
): Promise<string[]> {
  const made = links.map((link) => ({ ...link, token: newToken() }))
  const expiresAt = new Date(at.getTime() + LINK_DAYS * 86_400_000)
  await insertLinks(
    trx,
    made.map(({ token, ...link }) => ({ ...link, tokenHash: tokenHash(token), createdAt: at, expiresAt })),
  )
  return made.map(({ token }) => token)
}
