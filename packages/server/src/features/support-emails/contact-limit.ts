import type { Config } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import { countWritten } from './support-email.store.ts'

const HOUR_MS = 3_600_000

/** How many more mails a contact may be written within the hour. */
export type Allowance = (contactEmail: string) => number

/** Read once for a round of mails; whoever writes one in between counts it by themselves. */
export async function readAllowance(
  db: Db,
  { contactEmails, config, now }: { contactEmails: readonly string[]; config: Pick<Config, 'limits'>; now: Date },
): Promise<Allowance> {
  const limit = config.limits.supportEmailsPerContactAndHour
  if (limit === 0) return () => Number.POSITIVE_INFINITY
  const written = await countWritten(db, { contactEmails, since: new Date(now.getTime() - HOUR_MS) })
  return (contactEmail) => Math.max(0, limit - (written.get(contactEmail) ?? 0))
}
