import type { FeatureKey, Role } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { Id, Instant, InstantDefaultNow, InstantOrNull, Json } from './columns.ts'

/** Users, their data scope, flags, profiles and sessions. */

export interface AppUserTable {
  id: Id
  login: string
  name: string | null
  name_folded: Generated<string>
  email: string
  msisdn: string | null
  role: Role | 'system'
  all_customers: Generated<boolean>
  password_hash: string | null
  disabled_at: InstantOrNull
  created_at: InstantDefaultNow
}

export interface UserCustomerTable {
  user_id: number
  customer_id: number
}

export interface FeatureFlagTable {
  key: FeatureKey
  user_id: number | null
  value: boolean
}

export interface ProfileTable {
  id: Id
  user_id: number
  profile_type: 'assign_me_notification' | 'new_event_notification' | 'email'
  settings: Json<Record<string, unknown>>
  created_at: InstantDefaultNow
  updated_at: InstantDefaultNow
}

export interface SigningKeyTable {
  kid: string
  purpose: 'access-token' | 'refresh-token'
  jwk: Json<Record<string, unknown>>
  created_at: InstantDefaultNow
  retired_at: InstantOrNull
}

export interface SessionTable {
  id: Generated<string>
  user_id: number
  refresh_hash: Buffer
  previous_hash: Buffer | null
  previous_until: InstantOrNull
  created_at: InstantDefaultNow
  last_activity_at: Instant
  ended_at: InstantOrNull
  end_reason: string | null
}

export interface SpentRefreshTokenTable {
  token_hash: Buffer
  session_id: string
}

export interface LiveTokenTable {
  token_hash: Buffer
  session_id: string
  expires_at: Instant
}
