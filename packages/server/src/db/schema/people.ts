import type { FeatureKey, NotificationKind, Role } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { Id, Instant, InstantDefaultNow, InstantOrNull, Json } from './columns.ts'

/** Users with their data scope, flags, profiles, sign-in and sessions; API tokens. */

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
  must_change_password: Generated<boolean>
  temporary_password_until: InstantOrNull
  password_changed_at: InstantOrNull
  sms_mfa: Generated<boolean>
  totp_secret: Buffer | null
  totp_confirmed_at: InstantOrNull
  totp_last_step: Generated<number>
  last_signed_in_at: InstantOrNull
  deleted_at: InstantOrNull
}

export interface RecoveryCodeTable {
  user_id: number
  code_hash: Buffer
  used_at: InstantOrNull
}

export interface UserCustomerTable {
  user_id: number
  customer_id: number
}

export interface ScimUserTable {
  user_id: number
  external_id: string | null
  is_active: boolean
  follows_groups: boolean
  deleted_at: InstantOrNull
}

export interface ScimGroupTable {
  id: Id
  external_id: string | null
  name: string
  name_key: string
  created_at: Instant
}

export interface ScimMemberTable {
  group_id: number
  user_id: number
}

export interface FeatureFlagTable {
  key: FeatureKey
  user_id: number | null
  value: boolean
}

export interface ProfileTable {
  id: Id
  user_id: number
  profile_type: NotificationKind | 'email'
  settings: Json<Record<string, unknown>>
  created_at: InstantDefaultNow
  updated_at: InstantDefaultNow
}

export interface SigningKeyTable {
  kid: string
  purpose: 'access-token' | 'refresh-token' | 'sealing'
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
  user_agent: string | null
  address: string | null
  provider_handle: Buffer | null
  provider_checked_at: InstantOrNull
}

export interface SpentRefreshTokenTable {
  token_hash: Buffer
  session_id: string
}

export interface LiveTokenTable {
  token_hash: Buffer
  session_id: string
  expires_at: Instant
  /** The last message published before; null for a token of an earlier release. */
  last_seq: number | null
}

export interface AuthChallengeTable {
  token_hash: Buffer
  kind: 'NEW_PASSWORD_REQUIRED' | 'SMS_MFA' | 'TOTP_MFA'
  login: string
  state: Buffer | null
  tries: Generated<number>
  created_at: Instant
  expires_at: Instant
  used_at: InstantOrNull
}

export interface PasswordResetTable {
  user_id: number
  code_hash: Buffer
  tries: Generated<number>
  created_at: Instant
  expires_at: Instant
}

export interface SignInFailureTable {
  login_hash: Buffer
  failures: number
  last_at: Instant
  locked_until: InstantOrNull
}

export interface RateUseTable {
  key: string
  uses: Date[]
  expires_at: Instant
}

export interface OidcStartTable {
  state_hash: Buffer
  sealed: Buffer
  expires_at: Instant
}

export interface ApiTokenTable {
  id: Id
  name: string
  token_hash: Buffer
  scopes: string[]
  created_by: number
  created_at: Instant
  expires_at: Instant
  revoked_at: InstantOrNull
  last_used_at: InstantOrNull
}
