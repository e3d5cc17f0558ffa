import { type FeatureKey, notificationKinds } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import { recordAudits } from '../db/audit.ts'
import type { Trx } from '../db/connect.ts'
import { defaultSettings } from '../features/profiles/profile-settings.ts'
import type { Writing } from '../features/registry/registry-object.ts'
import { insertUser } from '../features/users/users.store.ts'
import { type DemoPerson, demoDeploymentFlags } from './demo-people.ts'

/** A user who may own events: database id, name, and visible customers (null: all). */
export interface Colleague {
  id: number
  name: string
  role: DemoPerson['role']
  customerIds: readonly number[] | null
  /** True if the user has turned notifications on. */
  isTold?: boolean
}

/**
 * Inserts the users with their flags, and the flags of the deployment. `hashes` are the password hashes of those who
 * can sign in, by login.
 */
export async function insertDemoPeople(
  trx: Trx,
  writing: Writing,
  { people, hashes }: { people: readonly DemoPerson[]; hashes: ReadonlyMap<string, string> },
): Promise<Colleague[]> {
  const customers = new Map(
    (await trx.selectFrom('customer').select(['id', 'key']).execute()).map(({ id, key }) => [key, id]),
  )
  const colleagues: Colleague[] = []
  const flags: { key: FeatureKey; userId: number | null }[] = demoDeploymentFlags.map((key) => ({ key, userId: null }))
  for (const person of people) {
    const customerIds = person.customers?.map((key) => customers.get(key) ?? -1) ?? null
    const { login, name, role, msisdn } = person
    const user = {
      login,
      name,
      role,
      msisdn,
      email: login,
      scope: customerIds ?? ('all' as const),
      passwordHash: hashes.get(login) ?? null,
      smsMfa: person.smsMfa ?? false,
      mustChangePassword: person.mustChangePassword ?? false,
    }
    const id = await insertUser(trx, { user, actor: writing.actor, at: writing.at })
    if (id === undefined) throw new Error(`There is a user ${login} already.`)
    // Users who never signed in or have no name have done nothing yet.
    if (!person.mustChangePassword && name !== null) {
      colleagues.push({ id, name, role, customerIds, isTold: person.told !== undefined })
    }
    await setProfiles(trx, { userId: id, told: person.told ?? {}, at: writing.at })
    flags.push(...person.flags.map((key) => ({ key, userId: id })))
  }
  await switchOn(trx, writing, flags)
  return colleagues
}

async function setProfiles(
  trx: Trx,
  { userId, told, at }: { userId: number; told: NonNullable<DemoPerson['told']>; at: Date },
): Promise<void> {
  const rows = notificationKinds.flatMap((kind) => {
    const settings = told[kind]
    return settings ? [{ kind, settings: JSON.stringify({ ...defaultSettings[kind], ...settings }) }] : []
  })
  for (const { kind, settings } of rows) {
    await trx
      .insertInto('profile')
      .values({ user_id: userId, profile_type: kind, settings, created_at: at, updated_at: at })
      .execute()
  }
}

async function switchOn(
  trx: Trx,
  writing: Writing,
  flags: readonly { key: FeatureKey; userId: number | null }[],
): Promise<void> {
  await sql`
    INSERT INTO feature_flag (key, user_id, value)
    SELECT f.key, f.user_id, true
    FROM unnest(${flags.map(({ key }) => key)}::text[], ${flags.map(({ userId }) => userId)}::int[]) AS f (key, user_id)
  `.execute(trx)
  await recordAudits(
    trx,
    flags.map(({ key, userId }) => ({
      subject: {
        entityType: 'feature_flag',
        entityId: userId === null ? key : `${key}/${userId}`,
        actor: writing.actor,
        at: writing.at,
      },
      entries: [{ action: 'update', property: key, oldValue: null, newValue: 'true' }],
    })),
  )
}
