import { EMAIL } from '@benchwatch/contract/patterns'
import { z } from 'zod'
import { type ProblemError, problem } from '../../platform/http/problem.ts'

/**
 * Reads what identity providers send (RFC 7643 and 7644) into the few attributes that Benchwatch keeps; other attributes
 * are accepted and not kept. Entra ID and Okta differ from the RFCs and from each other: operations are written `Add` or
 * `add`, with a path or as a whole object, and truth values as "False".
 */

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const MOST_NAME = 120
const MOST_ID = 200

/** The attributes of a user that a request names. */
export interface UserChange {
  userName?: string
  externalId?: string | null
  name?: string
  active?: boolean
}

/** Changes of a group's members, in order. */
export type MemberChange = { kind: 'add' | 'remove' | 'replace'; userIds: string[] }

export interface GroupChange {
  externalId?: string | null
  name?: string
  members: MemberChange[]
}

/** Reads a whole user (POST, PUT). Throws validation-failed. */
export function readUser(body: unknown): UserChange {
  return userChange(asAttributes(body))
}

/** Reads the operations of a PATCH of a user. Throws validation-failed. */
export function readUserPatch(body: unknown): UserChange {
  const attributes: Attributes = new Map()
  for (const { kind, path, value } of readOperations(body)) {
    if (path === undefined) for (const [name, one] of asAttributes(value)) attributes.set(name, one)
    else attributes.set(attributeName(path), kind === 'remove' ? null : value)
  }
  return userChange(attributes)
}

/** Reads a whole group (POST, PUT): absent members mean none. Throws validation-failed. */
export function readGroup(body: unknown): GroupChange {
  const attributes = asAttributes(body)
  const members = readMembers(attributes.get('members') ?? [])
  return { ...groupChange(attributes), members: [{ kind: 'replace', userIds: members }] }
}

/** `members[value eq "12"]` */
const MEMBER_PATH = /^members\[\s*value\s+eq\s+"([^"]*)"\s*\]$/i

/** Reads the operations of a PATCH of a group. Throws validation-failed. */
export function readGroupPatch(body: unknown): GroupChange {
  const change: GroupChange = { members: [] }
  for (const { kind, path, value } of readOperations(body)) {
    const [, one] = MEMBER_PATH.exec(path ?? '') ?? []
    const attributes = path === undefined ? asAttributes(value) : new Map([[attributeName(path), value]])
    if (one !== undefined) {
      if (kind !== 'remove') throw invalid(`Members with a filter can only be removed.`, 'invalidPath')
      change.members.push({ kind, userIds: [one] })
    } else if (attributes.has('members')) {
      const members = attributes.get('members')
      // Without values, "remove" means all members.
      if (kind === 'remove' && members === undefined) change.members.push({ kind: 'replace', userIds: [] })
      else change.members.push({ kind, userIds: readMembers(members ?? []) })
    }
    Object.assign(change, groupChange(kind === 'remove' ? new Map() : attributes))
  }
  return change
}

export interface ListQuery {
  /** All of them must be met. */
  filters: { attribute: string; value: string }[]
  /** From 0. */
  offset: number
  limit: number
  withMembers: boolean
}

const MOST_AT_ONCE = 200

/**
 * Reads the query of a list. Filters are supported that providers send: `attribute eq "value"`, also several with `and`.
 * Throws validation-failed.
 */
export function readList(query: unknown, attributes: readonly string[]): ListQuery {
  const read = listQuery.safeParse(query)
  if (!read.success) throw invalid('startIndex and count must be numbers, and each parameter may be sent once.')
  const { filter, startIndex, count, excludedAttributes } = read.data
  return {
    filters: filter === undefined ? [] : readFilters(filter, attributes),
    offset: Math.max(1, startIndex) - 1,
    limit: Math.min(Math.max(0, count), MOST_AT_ONCE),
    withMembers: !/\bmembers\b/i.test(excludedAttributes),
  }
}

const number = z
  .string()
  .regex(/^-?\d{1,9}$/)
  .transform(Number)
const listQuery = z.object({
  filter: z.string().optional(),
  startIndex: number.default(1),
  count: number.default(100),
  excludedAttributes: z.string().default(''),
})

const FILTER = /\s*([\w.]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)(?:\s+and\s+(?=\S)|\s*$)/iy

function readFilters(text: string, attributes: readonly string[]): ListQuery['filters'] {
  const filters: ListQuery['filters'] = []
  for (FILTER.lastIndex = 0; filters.length === 0 || FILTER.lastIndex < text.length; ) {
    const [, name, written = ''] = FILTER.exec(text) ?? []
    const attribute = attributes.find((one) => one.toLowerCase() === name?.toLowerCase())
    const value = attribute === 'active' ? truthIn(written) : parsedText(written)
    if (attribute === undefined || value === undefined) {
      const sentence = `Filters must have the form attribute eq "value", with ${attributes.join(', ')}.`
      throw invalid(sentence, 'invalidFilter')
    }
    filters.push({ attribute, value })
  }
  return filters
}

/** Entra ID writes "True". */
function truthIn(written: string): string | undefined {
  return /^"?(true|false)"?$/i.exec(written)?.[1]?.toLowerCase()
}

/** Returns undefined for a text that nothing in the database can equal. */
function parsedText(quoted: string): string | undefined {
  try {
    const text = z.string().parse(JSON.parse(quoted))
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Attributes by their name in lower case; `name.givenName` for a part of another one. */
type Attributes = Map<string, unknown>

function asAttributes(value: unknown): Attributes {
  const object = z.record(z.string(), z.unknown()).safeParse(value)
  if (!object.success) throw invalid('A JSON object with attributes is required.')
  return new Map(Object.entries(object.data).map(([name, one]) => [attributeName(name), one]))
}

/** Removes the schema before an attribute: `urn:…:User:active`. */
function attributeName(path: string): string {
  const name = path.trim()
  const schema = [USER, GROUP].find((urn) => name.toLowerCase().startsWith(`${urn.toLowerCase()}:`))
  return (schema === undefined ? name : name.slice(schema.length + 1)).toLowerCase()
}

interface Operation {
  kind: MemberChange['kind']
  path: string | undefined
  value: unknown
}

const patch = z.object({
  Operations: z
    .array(
      z.object({
        op: z
          .string()
          .transform((op) => op.toLowerCase())
          .pipe(z.enum(['add', 'remove', 'replace'])),
        path: z.string().max(300).nullish(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1000),
})

function readOperations(body: unknown): Operation[] {
  const read = patch.safeParse(body)
  if (!read.success) throw invalid('Operations with op add, remove or replace are required.', 'invalidSyntax')
  return read.data.Operations.map(({ op, path, value }) => ({ kind: op, path: path ?? undefined, value }))
}

function userChange(attributes: Attributes): UserChange {
  const name = nameOf(attributes)
  const active = attributes.get('active')
  return {
    ...(attributes.has('username') && { userName: readUserName(attributes.get('username')) }),
    ...externalIdOf(attributes),
    ...(name !== undefined && { name }),
    ...(active !== undefined && { active: readBoolean(active) }),
  }
}

function groupChange(attributes: Attributes): Omit<GroupChange, 'members'> {
  const name = attributes.get('displayname')
  return { ...externalIdOf(attributes), ...(name !== undefined && { name: readText(name, 'displayName', MOST_NAME) }) }
}

function externalIdOf(attributes: Attributes): { externalId?: string | null } {
  const id = attributes.get('externalid')
  if (id === undefined) return {}
  return { externalId: id === null ? null : readText(id, 'externalId', MOST_ID) }
}

/** The name as the provider shows it, else as it writes it out, else given and family name. */
function nameOf(attributes: Attributes): string | undefined {
  const parts = attributes.get('name')
  const inner = parts === undefined || parts === null ? new Map<string, unknown>() : asAttributes(parts)
  const part = (name: string) => attributes.get(`name.${name}`) ?? inner.get(name)
  const both = [part('givenname'), part('familyname')]
  const joined = both.every((one) => typeof one === 'string') ? both.join(' ') : undefined
  const name = [attributes.get('displayname'), part('formatted'), joined].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  )
  return name === undefined ? undefined : readText(name, 'displayName', MOST_NAME)
}

function readUserName(value: unknown): string {
  const name = readText(value, 'userName', 254).toLowerCase()
  if (!EMAIL.test(name)) throw invalid(`userName must be the e-mail address that the user signs in with.`)
  return name
}

function readText(value: unknown, attribute: string, most: number): string {
  const text = typeof value === 'string' ? value.trim().toWellFormed() : ''
  if (text === '' || text.length > most || /\p{Cc}/u.test(text))
    throw invalid(`${attribute} must be one line with 1 to ${most} characters.`)
  return text
}

function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const text = String(value).toLowerCase()
  if (text !== 'true' && text !== 'false') throw invalid('active must be true or false.')
  return text === 'true'
}

function readMembers(value: unknown): string[] {
  const members = z
    .array(z.object({ value: z.string().max(MOST_ID) }))
    .safeParse(Array.isArray(value) ? value : [value])
  if (!members.success) throw invalid('members must be a list of objects with the id of a user as value.')
  return members.data.map((member) => member.value)
}

/** Returns the error for a request that can't be understood; `scimType` is the RFC's keyword for the reason. */
export function invalid(sentence: string, scimType = 'invalidValue'): ProblemError {
  return problem('validation-failed', sentence, { members: { scimType } })
}
