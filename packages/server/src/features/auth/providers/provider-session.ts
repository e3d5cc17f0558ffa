import { inTransaction } from '../../../db/transaction.ts'
import type { LiveHub } from '../../../platform/live/hub.ts'
import type { FeatureContext } from '../../context.ts'
import { seal, unseal } from '../session/sealed-secret.ts'
import { type EndedSession, endSessions, handleUse } from '../session/session.store.ts'
import { tokenHash } from '../session/session-refresh.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { claimRecheck, keepHandle } from './redirect.store.ts'

interface Needs extends Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'> {
  provider: IdentityProvider
}

/**
 * Asks the identity provider whether the person behind a refresh token may still come in, at most once in the life of an
 * access token and once for all tabs. Ends the session where they may not, and returns it. A provider that can't be
 * reached ends nothing: the session goes on until it can, or until nobody was active for too long.
 */
export async function recheckSession(
  { db, clock, config, log, provider }: Needs,
  refreshToken: string,
): Promise<EndedSession | undefined> {
  if (!provider.recheck) return undefined
  const at = clock.now()
  const due = new Date(at.getTime() - config.accessTokenSeconds * 1000)
  const session = await claimRecheck(db, { refreshHash: tokenHash(refreshToken), due, at })
  if (!session) return undefined
  const { id, handle } = session
  try {
    const verdict = await provider.recheck(await unseal(db, { sealed: handle, use: handleUse(id) }))
    if (verdict.kind === 'good') {
      await keepHandle(db, { sessionId: id, handle: await seal(db, { text: verdict.handle, use: handleUse(id) }) })
      return undefined
    }
  } catch (error) {
    log.warn({ err: error, session: id }, 'the identity provider could not be asked about a session; it goes on')
    return undefined
  }
  const [ended] = await inTransaction(db, (trx) =>
    endSessions(trx, { which: { sessionId: id }, reason: 'provider', actor: { type: 'system' }, at }),
  )
  return ended
}

/** Closes the sockets of sessions that ended at once here, as a message does on other nodes, and tells the provider. */
export async function closeEnded(
  { hub, ...needs }: Pick<Needs, 'db' | 'log' | 'provider'> & { hub: Pick<LiveHub, 'end'> },
  ended: readonly EndedSession[],
): Promise<void> {
  for (const { id } of ended) hub.end({ sessionId: id })
  await tellProvider(needs, ended)
}

/** What the identity provider does not hear is no failure here. */
async function tellProvider(
  { db, log, provider }: Pick<Needs, 'db' | 'log' | 'provider'>,
  ended: readonly EndedSession[],
): Promise<void> {
  const { signOut } = provider
  if (!signOut) return
  await Promise.all(
    ended.map(async ({ id, handle }) => {
      if (!handle) return
      try {
        await signOut(await unseal(db, { sealed: handle, use: handleUse(id) }))
      } catch (error) {
        log.warn({ err: error, session: id }, 'the identity provider could not be told of the end of a session')
      }
    }),
  )
}
