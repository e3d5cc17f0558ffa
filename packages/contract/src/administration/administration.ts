import { z } from 'zod'
import { paths } from '../paths.ts'
import { GATEWAY_NAME, MSISDN, REGISTRY_KEY } from '../patterns.ts'
import { emailAddress, flagValue, id, instant, instantInput, line, paging, text } from '../primitives.ts'
import { admins, notAdmin, route } from '../route.ts'
import { apiTokenScopes, featureKeys, limits, roles, severities } from '../vocabulary.ts'

/** Administration: users, feature flags, gateway keys and API tokens. Every change is written to the audit log. */

const params = z.object({ id })

/** A user account as administrators see it. */
export const account = z.object({
  id,
  /** The e-mail address that the user types at sign-in. */
  userId: z.string(),
  name: z.string().nullable(),
  msisdn: z.string().nullable(),
  role: z.enum(roles),
  /** Customers in the user's data scope, sorted by name; null for all customers. */
  customers: z.array(z.object({ key: z.string(), name: z.string() })).nullable(),
  smsMfa: z.boolean(),
  totp: z.boolean(),
  /**
   * `invited`: has not replaced a temporary password or, with an identity provider, has never signed in. `locked`: too
   * many failed attempts, until `lockedUntil`.
   */
  state: z.enum(['active', 'invited', 'locked', 'disabled']),
  lockedUntil: instant.nullable(),
  /** True if the identity provider keeps name, role, customers and state by SCIM; they cannot be changed here. */
  isProvisioned: z.boolean(),
  createdAt: instant,
  lastSignedInAt: instant.nullable(),
  /** The user's own flags, which override the deployment's. */
  features: z.array(z.object({ key: z.enum(featureKeys), value: flagValue })),
})
export type Account = z.output<typeof account>

const customerKeys = z.array(z.string().regex(REGISTRY_KEY)).max(1000).nullable()
const msisdn = z.string().max(20).regex(MSISDN, 'must be a number such as +46705550101').nullable()
const name = line(120).trim().min(1)

export const listAccounts = route({
  ...paths.listAccounts,
  summary: 'One page of users by name; the keyword searches name and e-mail address',
  query: z.strictObject({ ...paging, keyword: text(limits.keyword).optional() }),
  answer: z.object({ values: z.array(account), total: z.number().int() }),
  errors: notAdmin,
  access: admins,
})

export const getAccount = route({
  ...paths.getAccount,
  summary: 'One user with role, data scope, second factor and flags',
  params,
  answer: account,
  errors: [...notAdmin, 'not-found'],
  access: admins,
})

export const inviteUser = route({
  ...paths.inviteUser,
  summary: 'Add a user and send a temporary password by e-mail, valid for 7 days',
  body: z.strictObject({
    email: emailAddress,
    name,
    role: z.enum(roles),
    customers: customerKeys,
    msisdn: msisdn.default(null),
    smsMfa: z.boolean().default(false),
  }),
  answer: account,
  success: [201],
  errors: [...notAdmin, 'unknown-reference', 'bad-change', 'login-taken'],
  access: admins,
})

export const updateAccount = route({
  ...paths.updateAccount,
  summary:
    'Replace name, number, role, data scope, SMS factor and disabled state of a user; takes effect immediately; supports If-Match',
  params,
  body: z.strictObject({
    name,
    role: z.enum(roles),
    customers: customerKeys,
    msisdn,
    smsMfa: z.boolean(),
    disabled: z.boolean(),
  }),
  answer: account,
  errors: [
    ...notAdmin,
    'not-found',
    'unknown-reference',
    'bad-change',
    'own-account',
    'last-administrator',
    'version-mismatch',
  ],
  access: admins,
})

export const repeatInvitation = route({
  ...paths.repeatInvitation,
  summary: 'Send a new temporary password by e-mail; the old password becomes invalid and all sessions end',
  params,
  success: [204],
  errors: [...notAdmin, 'not-found', 'bad-change', 'own-account'],
  access: admins,
})

export const unlockAccount = route({
  ...paths.unlockAccount,
  summary: 'Unlock an account after too many failed attempts',
  params,
  success: [204],
  errors: [...notAdmin, 'not-found'],
  access: admins,
})

export const resetSecondFactor = route({
  ...paths.resetSecondFactor,
  summary: 'Remove a lost authenticator app and its recovery codes from an account',
  params,
  success: [204],
  errors: [...notAdmin, 'not-found'],
  access: admins,
})

const flagAnswer = z.object({
  key: z.enum(featureKeys),
  /** The deployment's value; null if none is set, which counts as "false". */
  value: flagValue.nullable(),
  /** Users with a value of their own, sorted by name. */
  users: z.array(z.object({ userId: id, name: z.string(), value: flagValue })),
})
export type FeatureFlag = z.output<typeof flagAnswer>

export const listFeatureFlags = route({
  ...paths.listFeatureFlags,
  summary: 'All feature flags with the deployment’s value and the users’ own values',
  answer: z.object({ values: z.array(flagAnswer) }),
  errors: notAdmin,
  access: admins,
})

export const setFeatureFlag = route({
  ...paths.setFeatureFlag,
  summary: 'Set or clear the deployment’s value of a flag; takes effect immediately',
  params: z.object({ key: z.enum(featureKeys) }),
  body: z.strictObject({ value: flagValue.nullable() }),
  answer: flagAnswer,
  errors: notAdmin,
  access: admins,
})

export const setUserFeatureFlag = route({
  ...paths.setUserFeatureFlag,
  summary: 'Set or clear a user’s own value of a flag; takes effect immediately',
  params: z.object({ id, key: z.enum(featureKeys) }),
  body: z.strictObject({ value: flagValue.nullable() }),
  answer: flagAnswer,
  errors: [...notAdmin, 'not-found'],
  access: admins,
})

const gatewayName = z.string().regex(GATEWAY_NAME)

const gatewayHead = {
  name: z.string(),
  /** Key of its site, and the name of the site's customer. */
  site: z.string(),
  customer: z.string(),
  location: z.string().nullable(),
  /** Time of the last message; null before the first. */
  lastContactAt: instant.nullable(),
  /** Release of the gateway program, and items on its disk, from its last heartbeat; null if not reported. */
  version: z.string().nullable(),
  backlog: z.number().int().nullable(),
}

/** A gateway in the list of administrators. */
export const connectedGateway = z.object({
  ...gatewayHead,
  sources: z.number().int(),
  sourcesDown: z.number().int(),
  /** Messages since the start of the gateway that no rule matched. */
  unmatched: z.number().int(),
})
export type ConnectedGateway = z.output<typeof connectedGateway>

/** A source of a gateway, from its last heartbeat. Counts are those since the start of the gateway. */
export const gatewaySource = z.object({
  name: z.string(),
  /** Protocol, such as `mqtt`. */
  kind: z.string(),
  state: z.enum(['up', 'down']),
  since: instant,
  /** A sentence that says why it is down. */
  reason: z.string().nullable(),
  /** Reports; null if the gateway does not count them. */
  items: z.number().int().nullable(),
  lastItemAt: instant.nullable(),
  /** Messages that no rule matched, and those that could not be read. */
  unmatched: z.number().int(),
  faulty: z.number().int(),
  /** A sentence about the last message that could not be read. */
  lastFault: z.string().nullable(),
  /** Names of unmatched messages, the one seen last first. `field` says which field of the messages it is. */
  unmatchedNames: z.array(z.object({ field: z.string(), name: z.string(), count: z.number().int(), lastAt: instant })),
})
export type GatewaySource = z.output<typeof gatewaySource>

/** A template id that events have and the registry lacks, for one instrument type. */
export const missingTemplate = z.object({
  instrumentType: z.string(),
  templateId: z.string(),
  /** Events of the last 30 days. */
  count: z.number().int(),
  lastAt: instant,
  /** Severity and description of the last event. */
  severity: z.enum(severities),
  description: z.string(),
})
export type MissingTemplate = z.output<typeof missingTemplate>

/** Parked items of a gateway that nobody has resolved, which have one reason. */
export const parkedReason = z.object({
  code: z.string(),
  /** Why the server could not process them. */
  reason: z.string(),
  count: z.number().int(),
  /** When the last one arrived. */
  lastAt: instant,
})
export type ParkedReason = z.output<typeof parkedReason>

export const listConnectedGateways = route({
  ...paths.listConnectedGateways,
  summary: 'One page of the gateways in scope by name: last contact, release, backlog and sources',
  query: z.strictObject({ ...paging, keyword: text(limits.keyword).optional() }),
  answer: z.object({ values: z.array(connectedGateway), total: z.number().int() }),
  errors: notAdmin,
  access: admins,
})

export const getConnectedGateway = route({
  ...paths.getConnectedGateway,
  summary:
    'One gateway in scope with its sources, unmatched names, parked items, and template ids that the registry lacks',
  params: z.object({ gateway: gatewayName }),
  answer: z.object({
    ...gatewayHead,
    sources: z.array(gatewaySource),
    /** The reason that occurred last first, at most 50. */
    parked: z.array(parkedReason),
    missingTemplates: z.array(missingTemplate),
  }),
  errors: [...notAdmin, 'not-found'],
  access: admins,
})
const gatewayKeyHead = { id, createdAt: instant, revokedAt: instant.nullable() }

export const listGatewayKeys = route({
  ...paths.listGatewayKeys,
  summary: 'Metadata of a gateway’s keys, newest first',
  params: z.object({ gateway: gatewayName }),
  answer: z.object({ values: z.array(z.object(gatewayKeyHead)) }),
  errors: [...notAdmin, 'not-found'],
  access: admins,
})

export const createGatewayKey = route({
  ...paths.createGatewayKey,
  summary: 'Create a gateway key, shown only once; its first use revokes the older keys',
  params: z.object({ gateway: gatewayName }),
  answer: z.object({ ...gatewayKeyHead, key: z.string() }),
  success: [201],
  errors: [...notAdmin, 'not-found'],
  access: admins,
})

export const revokeGatewayKey = route({
  ...paths.revokeGatewayKey,
  summary: 'Revoke one key of a gateway; takes effect within seconds',
  params: z.object({ gateway: gatewayName, id }),
  success: [204],
  errors: [...notAdmin, 'not-found'],
  access: admins,
})

/** An API token of another system, without its secret. */
export const apiToken = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(apiTokenScopes)),
  createdBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
  revokedAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
})
export type ApiToken = z.output<typeof apiToken>

export const listApiTokens = route({
  ...paths.listApiTokens,
  summary: 'Metadata of the API tokens, newest first',
  answer: z.object({ values: z.array(apiToken) }),
  errors: notAdmin,
  access: admins,
})

export const createApiToken = route({
  ...paths.createApiToken,
  summary: 'Create a token for another system, shown only once',
  /** `expiresAt` must be in the future and within two years. */
  body: z.strictObject({
    name,
    scopes: z.array(z.enum(apiTokenScopes)).min(1),
    expiresAt: instantInput,
  }),
  answer: apiToken.extend({ token: z.string() }),
  success: [201],
  errors: [...notAdmin, 'bad-change'],
  access: admins,
})

export const revokeApiToken = route({
  ...paths.revokeApiToken,
  summary: 'Revoke an API token; takes effect immediately',
  params,
  success: [204],
  errors: [...notAdmin, 'not-found'],
  access: admins,
})
