import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { takeTurn } from '../../db/rate-limit.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem, tooOften } from '../../platform/http/problem.ts'
import { tokenHash as hashOf } from '../../platform/secret-token.ts'
import { addressOf, type Origin } from '../auth/credentials/attempts.ts'
import type { FeatureContext } from '../context.ts'
import { type LinkedWarning, readLinkedWarning } from './unsubscribe.queries.ts'
import {
  deleteLinksExpiredBefore,
  deleteUnsubscription,
  lockLink,
  lockUnsubscription,
  markUsed,
  type Rest,
  untilAfter,
  updateUnsubscription,
} from './unsubscribe.store.ts'

type Needs = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'>

interface Brought {
  token: string
  from: Origin
}

/** Returns the warning of a link; changes nothing. Throws unsubscribe-token. */
export async function linkedWarning(needs: Needs, { token, from }: Brought): Promise<LinkedWarning> {
  const warning = await readLinkedWarning(needs.db, { tokenHash: hashOf(token), now: needs.clock.now() })
  return warning ?? refuse(needs, from)
}

/**
 * Unsubscribes the contact of a link from its warning, for a number of days or, if `days` is null, permanently.
 * Repeating it changes nothing. Throws unsubscribe-token.
 */
export async function unsubscribe(
  needs: Needs,
  { token, days, from }: Brought & { days: number | null },
): Promise<Rest> {
  const tokenHash = hashOf(token)
  const rest = await inTransaction(needs.db, async (trx) => {
    const link = await lockLink(trx, tokenHash)
    // Read after the lock: a change that waited must not be dated before the one it waited for.
    const at = needs.clock.now()
    if (!link || link.expiresAt <= at) return undefined
    const { id, rest: held } = await lockUnsubscription(trx, { warning: link, at })
    const until = untilAfter(held, { days, isRepeat: link.isUsed, at })
    await markUsed(trx, { tokenHash, at })
    if (held && held.until?.getTime() === until?.getTime()) return held
    await updateUnsubscription(trx, { id, until, createdAt: held ? undefined : at })
    await recordAudit(
      trx,
      { entityType: 'support_email_unsubscription', entityId: String(id), actor: { type: 'system' }, at },
      [
        {
          action: 'unsubscribed',
          property: 'until',
          oldValue: held ? inWords(held) : null,
          newValue: inWords({ until }),
          reason: `By the link in the e-mail to ${link.contactEmail} about event ${link.eventId}`,
        },
      ],
    )
    return { until }
  })
  return rest ?? refuse(needs, from)
}

/** Subscribes the contact again. Throws not-found. */
export async function endUnsubscription(
  { db, clock }: Needs,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const deleted = await deleteUnsubscription(trx, { id: rowId(id) ?? 0, scope: caller.scope })
    if (!deleted) throw problem('not-found', 'There is no such unsubscription. Reload the list.')
    const subject = {
      entityType: 'support_email_unsubscription',
      entityId: id,
      actor: caller,
      at: clock.now(),
    } as const
    await recordAudit(trx, subject, [
      {
        action: 'deleted',
        property: 'until',
        oldValue: inWords(deleted),
        reason: `E-mails to ${deleted.contactEmail} are sent again`,
      },
    ])
  })
}

/**
 * Throws the one error for invalid tokens of any kind. Only failures count towards the limit, and valid tokens always
 * pass: 256 bits cannot be guessed, and a mail provider sends the requests of all its users from a few addresses.
 */
async function refuse({ db, clock, config, log }: Needs, from: Origin): Promise<never> {
  const turn = await takeTurn(db, {
    key: `unsubscribe-failures:${addressOf(from)}`,
    limit: config.limits.signInFailuresPerAddress,
    windowSeconds: 60,
    at: clock.now(),
  })
  if (turn.isAllowed) {
    throw problem(
      'unsubscribe-token',
      'This link is not valid: unsubscribe links work for 7 days. Use the link in a newer e-mail, or contact support.',
    )
  }
  log.warn({ from: from.address, requestId: from.requestId }, 'address refused after too many unsubscribe links')
  throw tooOften('Too many invalid links.', turn.retryAfter)
}

function inWords({ until }: Rest): string {
  return until?.toISOString() ?? 'for good'
}

/** Expired links are kept because they show the back office which component a warning concerned. */
const KEPT_DAYS = 30

export function unsubscribeTasks({ db, clock }: Pick<FeatureContext, 'db' | 'clock'>): LeaderTask[] {
  return [
    {
      name: 'delete old unsubscribe links',
      everyMs: 3_600_000,
      run: () => deleteLinksExpiredBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)),
    },
  ]
}
