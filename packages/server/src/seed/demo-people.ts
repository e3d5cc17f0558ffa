import type { NotificationSettings } from '@benchwatch/contract/messages/profiles'
import type { FeatureKey, NotificationKind, Role } from '@benchwatch/contract/vocabulary'
import { fold } from '../db/fold.ts'

/** Password of the demo users who can sign in; the server prints it at the start, and the README states it. */
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

/** The users of the demo (specification: people) and their colleagues. */
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
