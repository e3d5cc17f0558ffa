import type { NotificationSettings } from '@benchwatch/contract/messages/profiles'
import { type FeatureKey, type NotificationKind, notificationKinds, type Role } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import { recordAudits } from '../db/audit.ts'
import { type Db, OperatorError, type Trx } from '../db/connect.ts'
import { fold } from '../db/fold.ts'
import { passwordFits } from '../features/auth/credentials/password-hash.ts'
import { defaultSettings } from '../features/profiles/profile-settings.ts'
import type { Writing } from '../features/registry/registry-object.ts'
import { insertUser } from '../features/users/users.store.ts'

/** Password of the demo users who can sign in; the start command prints it, and the README states it. */
export const DEMO_PASSWORD = 'Benchwatch-2026!'

export interface DemoPerson {
  login: string
  /** Null for a user who has never set one. */
  name: string | null
  role: Role
  msisdn: string | null
  /** Keys of the visible customers; all by default. */
  customers?: readonly string[]
  canSignIn: boolean
  /** Requires a code by SMS at each sign-in. */
  smsMfa?: true
  /** The demo password only leads to the step in which the user sets a new one. */
  mustChangePassword?: true
  flags: readonly FeatureKey[]
  /** Notification settings; users without them get no notifications. */
  told?: Partial<Record<NotificationKind, Partial<NotificationSettings>>>
}

const everyday: readonly FeatureKey[] = [
  'FETCH_INSTRUMENT_DAILY_RUNTIMES',
  'FETCH_INSTRUMENT_COMPONENTS',
  'ASSET_USAGE',
  'AUTO_EMAIL',
]

/** Returns a colleague or a customer's user who never signs in; they own events and fill the owner lists. */
function colleague(name: string, role: Role, customer?: { key: string; domain: string }): DemoPerson {
  const local = fold(name).replaceAll(' ', '.')
  return {
    login: `${local}@${customer?.domain ?? 'benchwatch.example'}`,
    name,
    role,
    msisdn: null,
    ...(customer && { customers: [customer.key] }),
    canSignIn: false,
    flags: [],
  }
}

const helix = { key: 'helix-biologics', domain: 'helixbio.example' }

/** The users of the demo (3-decisions 1) and their colleagues. */
export const demoPeople: readonly DemoPerson[] = [
  {
    login: 'support@benchwatch.example',
    name: 'Sofia Lindqvist',
    role: 'support',
    msisdn: '+46705550101',
    canSignIn: true,
    flags: ['BACKOFFICE', ...everyday],
    told: { new_event_notification: { notifyEmail: true, severity: ['high'] } },
  },
  {
    login: 'service@benchwatch.example',
    name: 'Marcus Weber',
    role: 'service',
    msisdn: '+491705550102',
    canSignIn: true,
    flags: everyday,
    told: { assign_me_notification: { notifyEmail: true } },
  },
  {
    login: 'customer@helixbio.example',
    name: 'Elin Sandberg',
    role: 'customer',
    msisdn: '+46705550103',
    customers: [helix.key],
    canSignIn: true,
    flags: everyday,
    told: { new_event_notification: { notifyEmail: true, severity: ['high', 'medium'] } },
  },
  {
    login: 'mfa@benchwatch.example',
    name: 'Yuki Tanaka',
    role: 'service',
    msisdn: '+46705550105',
    canSignIn: true,
    smsMfa: true,
    flags: everyday,
  },
  {
    login: 'new@benchwatch.example',
    name: 'Nora Fjeld',
    role: 'service',
    msisdn: '+46705550106',
    canSignIn: true,
    mustChangePassword: true,
    flags: everyday,
  },
  {
    login: 'admin@benchwatch.example',
    name: 'Priya Raman',
    role: 'admin',
    msisdn: '+46705550104',
    canSignIn: true,
    flags: [],
  },
  colleague('Anders Björk', 'support'),
  colleague('Claire Dubois', 'support'),
  colleague('Kenji Watanabe', 'support'),
  colleague('Hannah Schmidt', 'service'),
  colleague('Tomasz Zieliński', 'service'),
  colleague('Olivia Carter', 'service'),
  colleague('Mei Lin Chen', 'service'),
  colleague('Rafael Moreno', 'service'),
  colleague('Maximiliane Freifrau von Wolkenstein-Rodenegg', 'service'),
  { ...colleague('layla.haddad', 'service'), name: 'ليلى حداد' },
  { ...colleague('hina.sato', 'support'), name: '佐藤 陽菜' },
  { ...colleague('visiting.engineer', 'service'), name: null },
  colleague('Johan Ek', 'customer', helix),
  colleague('Maria Öberg', 'customer', helix),
  colleague('Giulia Ferrari', 'customer', { key: 'novara-therapeutics', domain: 'novara-tx.example' }),
  colleague('Søren Holm', 'customer', { key: 'oresund-pharma', domain: 'oresundpharma.example' }),
]

/** Flags that are on for all users of the demo. */
export const demoDeploymentFlags: readonly FeatureKey[] = [
  'AUTO_EMAIL',
  'EDGE_ISSUE_EVENT_CREATION',
  'INSTRUMENT_OFFLINE_EVENT_CREATION',
  'INSTRUMENT_STATUS_TEMPLATE',
]

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
    if (id === undefined) throw new Error(`There is already a user ${login}.`)
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

/**
 * Throws OperatorError if enabled demo users with the published password are left from an earlier start, because
 * anyone on the network could sign in as them. For a server without a demo that listens on an address other than
 * loopback.
 */
export async function refuseDemoUsers(db: Db, { host }: { host: string }): Promise<void> {
  const logins = demoPeople.filter(({ canSignIn }) => canSignIn).map(({ login }) => login)
  const users = await db
    .selectFrom('app_user')
    .where('login', 'in', logins)
    .where('disabled_at', 'is', null)
    .select(['login', 'password_hash'])
    .orderBy('login')
    .execute()
  const left: string[] = []
  for (const { login, password_hash } of users) if (await passwordFits(password_hash, DEMO_PASSWORD)) left.push(login)
  if (left.length === 0) return
  throw new OperatorError(
    `HOST is ${host}, but demo users with a published password are in this database: ${left.join(', ')}. Start with another DATA_DIR, or with HOST=127.0.0.1 to disable them first, or set DEMO=public to allow it.`,
  )
}
