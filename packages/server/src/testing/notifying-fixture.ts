import type { EmailSettings, NotificationSettings } from '@benchwatch/contract/messages/profiles'
import type { NotificationKind } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import { readConfig } from '../config.ts'
import { createMessages } from '../features/messages/messages.service.ts'
import type { Notifying } from '../features/notifications/notifying.service.ts'
import { defaultSettings } from '../features/profiles/profile-settings.ts'
import { addMissingProfiles } from '../features/profiles/profiles.store.ts'
import { fixedClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { TEST_NOW } from './test-app.ts'
import type { TestDatabase } from './test-database.ts'

/** Creates what notifications need, without a server that sends them on its own in the meantime. */
export function notifyingOn(
  database: TestDatabase,
  environment: Record<string, string> = {},
): Notifying & { clock: ReturnType<typeof fixedClock> } {
  const { db } = database
  const clock = fixedClock(TEST_NOW)
  const config = readConfig({
    DEMO: 'off',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://console.example.com',
    ...environment,
  })
  const log = createLog('silent')
  const messages = createMessages({ db, clock, config, log, transports: { mailer: null, smsSender: null } })
  return { db, clock, config, log, messages }
}

/** Changes a user's notification settings. */
export async function setProfile(
  { db }: Pick<TestDatabase, 'db'>,
  {
    userId,
    kind,
    settings,
  }:
    | { userId: number; kind: NotificationKind; settings: Partial<NotificationSettings> }
    | { userId: number; kind: 'email'; settings: Partial<EmailSettings> },
): Promise<void> {
  await addMissingProfiles(db, { userId, at: TEST_NOW })
  await db
    .updateTable('profile')
    .set({ settings: sql`${JSON.stringify({ ...defaultSettings[kind], ...settings })}::jsonb` })
    .where('user_id', '=', userId)
    .where('profile_type', '=', kind)
    .execute()
}
