import type { Config } from '../config.ts'
import type { Callers } from '../db/actor.ts'
import type { Db } from '../db/connect.ts'
import type { Clock } from '../platform/clock.ts'
import type { Bind } from '../platform/http/bind.ts'
import type { Log } from '../platform/log.ts'
import type { Messages } from './outgoing-messages.ts'

/** What every feature's routes are given. Whatever else one needs is a further argument of its own. */
export interface FeatureContext {
  bind: Bind<Callers>
  db: Db
  /** The connections for what gateways send. */
  intake: Db
  clock: Clock
  config: Config
  log: Log
  /** Mails and text messages. */
  messages: Messages
}
