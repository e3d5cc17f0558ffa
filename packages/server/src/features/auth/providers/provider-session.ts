import { inTransaction } from '../../../db/transaction.ts'
import type { LiveHub } from '../../../platform/live/hub.ts'
import { tokenHash } from '../../../platform/secret-token.ts'
import type { FeatureContext } from '../../context.ts'
import { seal, unseal } from '../session/sealed-secret.ts'
import { type EndedSession, endSessions, handleUse } from '../session/session.store.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { claimRecheck, keepHandle } from './redirect.store.ts'

interface Needs extends Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'> {
  provider: IdentityProvider
}

/**
 * Asks the identity provider whether the user of a refresh token may still have access: at most once per access token
 * lifetime, and once for all tabs. Ends the session and returns it if not. If the provider is unreachable, the session
 * continues until the provider can answer or the inactivity limit is reached.
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
    log.warn({ err: error, session: id }, 'identity provider unreachable for a session check; the session continues')
    return undefined
  }
  const [ended] = await inTransaction(db, (trx) =>
    endSessions(trx, { which: { sessionId: id }, reason: 'provider', actor: { type: 'system' }, at }),
  )
  return ended
}

/** Closes the sockets of ended sessions on this node (others get a message) and notifies the provider. */
export async function closeEnded(
  { db, log, provider, hub }: Pick<Needs, 'db' | 'log' | 'provider'> & { hub: Pick<LiveHub, 'end'> },
  ended: readonly EndedSession[],
): Promise<void> {
  for (const { id } of ended) hub.end({ sessionId: id })
  const { signOut } = provider
  if (!signOut) return
  await Promise.all(
    ended.map(async ({ id, handle }) => {
      if (!handle) return
      try {
        await signOut(await unseal(db, { sealed: handle, use: handleUse(id) }))
      } catch (error) {
        // The sign-out here succeeds all the same.
        log.warn({ err: error, session: id }, 'identity provider could not be notified of a session end')
      }
    }),
  )
}
