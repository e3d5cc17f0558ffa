import type { Config } from '../config.ts'
import type { Callers } from '../db/actor.ts'
import type { Db } from '../db/connect.ts'
import type { Clock } from '../platform/clock.ts'
import type { Bind } from '../platform/http/bind.ts'
import type { Log } from '../platform/log.ts'
import type { Messages } from './outgoing-messages.ts'

/** The context of every feature's routes. Anything else that a feature needs is a separate argument. */
export interface FeatureContext {
  bind: Bind<Callers>
  db: Db
  /** The connections for data from gateways. */
  intake: Db
  clock: Clock
  config: Config
  log: Log
  /** E-mails and text messages. */
  messages: Messages
}
