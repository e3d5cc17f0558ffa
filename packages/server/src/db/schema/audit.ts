import type { Id, Instant } from './columns.ts'

/** The append-only audit log. */

export interface AuditTable {
  id: Id
  entity_type: string
  entity_id: string
  entity_seq: number
  at: Instant
  actor_type: 'user' | 'system' | 'gateway' | 'api_token' | 'scim' | 'command'
  actor_id: string | null
  actor_name: string
  action: string
  property: string | null
  old_value: string | null
  new_value: string | null
  reason: string | null
  previous_hash: Buffer
  hash: Buffer
}

export interface AuditUnsealedTable {
  audit_id: number
}

export interface AuditSealTable {
  seq: number
  at: Instant
  audit_ids: number[]
  previous_hash: Buffer
  hash: Buffer
}
