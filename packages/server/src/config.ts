import { resolve } from 'node:path'
import { readEnvironment } from '@benchwatch/contract/environment'
import { DEFAULT_CASE_URL_HOSTS, logDashboardPlaceholders } from '@benchwatch/contract/page-settings'
import { INSTALLED_PRODUCT_ID } from '@benchwatch/contract/patterns'
import { type Role, roles } from '@benchwatch/contract/vocabulary'
import { z } from 'zod'

/**
 * The only reader of the environment. docs/configuration.md describes every key. A bad configuration stops the start
 * with a list of every bad key.
 */

const namesIn = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
const list = z.string().toLowerCase().transform(namesIn)
/** Networks in CIDR notation. */
const networks = list.pipe(
  z
    .array(z.union([z.cidrv4(), z.cidrv6()], 'must be networks such as 10.20.0.0/16, with commas between them'))
    .max(100),
)
const installedProductIds = z
  .string()
  .transform(namesIn)
  .pipe(
    z.array(z.string().regex(INSTALLED_PRODUCT_ID, 'must be installed product ids, with commas between them')).max(100),
  )
const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .pipe(z.number().min(from).max(to))
const number = (isRight: (value: number) => boolean, range: string) =>
  z.string().transform(Number).refine(isRight, `must be a number ${range}`)
/** The message leaves the value out, because it may contain a password. */
const address = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must look like ${example}`, abort: true })
const webAddress = address(/^https?$/, 'https://host or http://host:port')
const proxies = z.union(
  [
    wholeNumber(0, 100),
    list.pipe(
      z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.enum(['loopback', 'linklocal', 'uniquelocal'])])),
    ),
  ],
  'must be addresses or subnets such as 10.20.0.0/16, with commas between them, or a number of hops',
)
const pattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source)
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a regular expression' })
    return z.NEVER
  }
})

/** `name=value,name=value`, with the values percent-encoded, as OpenTelemetry writes them. */
const headers = z.string().transform((text, context) => {
  try {
    return Object.fromEntries(
      text.split(',').map((pair) => {
        const [, name, value] = /^\s*([\w-]+)\s*=\s*(.+?)\s*$/.exec(pair) ?? []
        if (name === undefined || value === undefined) throw new SyntaxError('not a header')
        return [name, decodeURIComponent(value)]
      }),
    )
  } catch {
    // The message leaves the value out, because it is a secret.
    context.addIssue({ code: 'custom', message: 'must look like name=value, with commas between several' })
    return z.NEVER
  }
})

const loopback = ['127.0.0.1', 'localhost', '::1']
/** Returns true if a server that listens on this host can be reached from this machine only. */
export const isLoopback = (host: string): boolean => loopback.includes(host)
/** Carries passwords and tokens, so plain HTTP is allowed only within this machine. */
const identityUrl = webAddress.refine((value) => {
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
}, 'must begin with https, unless it points to this machine')

/** An address with placeholders in braces, of which it must have `needed`; other braces are a mistake. `or` is taken, too. */
const addressTemplate = ({ needed, known, or }: { needed: readonly string[]; known: readonly string[]; or?: string }) =>
  z.string().superRefine((template, context) => {
    if (template === or) return
    const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '')
    const missing = needed.filter((name) => !names.includes(name))
    const unknown = names.filter((name) => !known.includes(name))
    // Placeholders are replaced by letters, because the host may contain one too.
    const filled = template.replace(/\{[^{}]*\}/g, 'a')
    // The content security policy contains the host, so characters that would end a directive are refused.
    const isAddress = /^https?:\/\/[\w.:[\]-]+(?:[/?#]|$)/.test(filled) && URL.canParse(filled)
    if (!isAddress)
      context.addIssue({ code: 'custom', message: 'must be an address that begins with https:// or http://' })
    for (const name of missing) context.addIssue({ code: 'custom', message: `must contain {${name}}` })
    for (const name of unknown) context.addIssue({ code: 'custom', message: `{${name}} is not a known placeholder` })
  })

/** Instruments of the demo fleet. */
const DEMO_TEST_INSTRUMENTS: readonly string[] = ['IP-20440399', 'IP-20440515', 'IP-20441128']

/** `Lab admins=admin; Helix=customer: helix-biologics`: what the groups of an identity provider may do. */
const groupRights = z.string().transform((text, context): GroupRights[] =>
  text.split(';').flatMap((part) => {
    if (part.trim() === '') return []
    const [, name = '', role = '', keys] = /^\s*(.+?)\s*=\s*(\w+)\s*(?::(.*))?$/.exec(part) ?? []
    const known = roles.find((one) => one === role)
    const customers = keys === undefined ? null : namesIn(keys)
    const fault =
      known === undefined
        ? `must be group=role, with one of the roles ${roles.join(', ')}`
        : customers?.length === 0 || (known === 'customer' && customers === null)
          ? 'needs keys of customers after the colon'
          : undefined
    if (known === undefined || fault !== undefined) {
      context.addIssue({ code: 'custom', message: `"${part.trim()}" ${fault}` })
      return []
    }
    return [{ name, role: known, customers }]
  }),
)

const environment = z.object({
  PORT: wholeNumber(0, 65_535).default(8080),
  HOST: z.string().optional(),
  PUBLIC_URL: webAddress.optional(),
  /** Addresses or subnets of proxies whose X-Forwarded headers are trusted, or a number of hops; none by default. */
  TRUST_PROXY: proxies.optional(),
  DATA_DIR: z.string().default('./data'),
  /** External PostgreSQL ≥ 15 to use instead of the embedded one. */
  DATABASE_URL: z.string().optional(),
  /** The same database without the pooler in transaction mode, which DATABASE_URL then names. */
  DATABASE_DIRECT_URL: z.string().optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 100).default(12),
  /** Streaming replica of DATABASE_URL for long reads. */
  DATABASE_READ_URL: address(/^postgres(ql)?$/, 'postgresql://user:password@host:5432/database').optional(),
  /** Lag above which the replica is not used. */
  DATABASE_READ_MAX_LAG_SECONDS: wholeNumber(1, 3600).default(10),
  /** ClickHouse for searches and old log lines: http://user:password@host:8123/database. */
  CLICKHOUSE_URL: webAddress.optional(),
  /** Name of the cluster in the configuration of ClickHouse; without it, one node. */
  CLICKHOUSE_CLUSTER: z.string().regex(/^\w+$/, 'must consist of letters, digits and underscores').optional(),
  /** NATS server for live messages: nats://user:password@host:4222, nats://token@host or tls://…; else PostgreSQL. */
  NATS_URL: address(/^(nats|tls)$/, 'nats://host:4222').optional(),
  /** off: PostgreSQL answers every search for events, however many there are. */
  EVENT_INDEX: z.enum(['on', 'off']).default('on'),
  /** off: no prepared statements, for a connection pooler that does not support them. */
  DATABASE_PREPARE: z.enum(['on', 'off']).default('on'),
  /** off: start with an empty database. public: demo users even if HOST is not loopback. */
  DEMO: z.enum(['on', 'off', 'public']).default('on'),
  BUILD_ENV: z.string().default('prod'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  PRODUCT_NAME: z.string().min(1).default('Benchwatch'),
  /** The logo beside the product name: a small .svg, .png or .webp file. */
  LOGO_FILE: z.string().optional(),
  COPYRIGHT: z.string().optional(),
  SUPPORT_EMAIL: z.string().default('support@benchwatch.example'),
  COMPANY_EMAIL_DOMAINS: list.default(['benchwatch.example', 'helixbio.example']),
  DEPLOYMENT: z.enum(['global', 'china']).default('global'),
  ACCESS_TOKEN_MINUTES: wholeNumber(1, 60).default(15),
  SESSION_INACTIVITY_HOURS: number((hours) => hours > 0 && hours <= 720, 'above 0, up to 720').default(4),
  /** Mail server: smtp://user:password@host:587 or smtps://…; without it, the demo keeps mails in its outbox. */
  SMTP_URL: address(/^smtps?$/, 'smtp://user:password@host:587').optional(),
  MAIL_FROM: z.string().optional(),
  /**
   * Twilio account for text messages; set all three or none. Without it, the demo keeps text messages in its outbox.
   */
  TWILIO_ACCOUNT_SID: z.string().optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z.string().optional(),
  TWILIO_API_URL: webAddress.default('https://api.twilio.com'),
  IDENTITY_PROVIDER: z.enum(['local', 'cognito', 'oidc']).default('local'),
  COGNITO_REGION: z.string().optional(),
  COGNITO_USER_POOL_ID: z.string().optional(),
  COGNITO_CLIENT_ID: z.string().optional(),
  COGNITO_CLIENT_SECRET: z.string().optional(),
  /** Endpoint to use instead of Amazon's, such as an emulator. */
  COGNITO_ENDPOINT: identityUrl.optional(),
  OIDC_ISSUER: identityUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** on: trusts e-mail addresses even if the provider does not state that it verified them. */
  OIDC_TRUST_EMAIL: z.enum(['on', 'off']).default('off'),
  /** Bearer token with which the identity provider keeps accounts by SCIM; off by default. */
  SCIM_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
  SCIM_GROUPS: groupRights.optional(),
  /** Consecutive failures that lock an account, and failures per minute that lock an address (3-decisions 2). */
  SIGN_IN_FAILURES_PER_ACCOUNT: wholeNumber(1, 1000).default(5),
  SIGN_IN_FAILURES_PER_ADDRESS: wholeNumber(1, 100_000).default(50),
  CODE_TRIES: wholeNumber(1, 100).default(5),
  CODE_RESEND_SECONDS: wholeNumber(0, 3600).default(5),
  SMS_PER_NUMBER_AND_DAY: wholeNumber(1, 10_000).default(10),
  SHARES_PER_HOUR: wholeNumber(1, 10_000).default(20),
  EXPORTS_PER_HOUR: wholeNumber(1, 10_000).default(20),
  /** s3: export files are kept in a bucket that several servers share. The AWS SDK finds the credentials. */
  EXPORT_STORE: z.enum(['disk', 's3']).default('disk'),
  EXPORT_S3_BUCKET: z.string().optional(),
  EXPORT_S3_REGION: z.string().default('us-east-1'),
  /** Endpoint to use instead of Amazon's. */
  EXPORT_S3_ENDPOINT: webAddress.optional(),
  EXPORT_S3_PREFIX: z
    .string()
    .regex(/^[\w.-]+(?:\/[\w.-]+)*\/$/, 'must consist of names that each end with a slash')
    .default('exports/'),
  /** on by default for another endpoint than Amazon's. */
  EXPORT_S3_PATH_STYLE: z.enum(['on', 'off']).optional(),
  /** Event notifications sent individually to one user; further ones are combined into a digest. 0: no limit. */
  NOTIFICATION_MAILS_PER_HOUR: wholeNumber(0, 10_000).default(20),
  NOTIFICATION_SMS_PER_HOUR: wholeNumber(0, 10_000).default(5),
  NOTIFICATION_DIGEST_MINUTES: wholeNumber(1, 1440).default(15),
  /** Automatic support e-mails to one contact; further ones are held back and sent as one list. 0: no limit. */
  SUPPORT_EMAILS_PER_CONTACT_PER_HOUR: wholeNumber(0, 10_000).default(10),
  /** A gateway that sends nothing for this long counts as disconnected; 0: never. */
  GATEWAY_SILENCE_SECONDS: wholeNumber(0, 86_400).default(90),
  /** Metrics on their own port, or on the main port behind a token; off by default. */
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  /** Collector of OpenTelemetry, such as http://localhost:4318; without it, OpenTelemetry is off and not loaded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.default({}),
  OTEL_SERVICE_NAME: z.string().min(1).default('benchwatch'),
  /** Share of the requests that are traced. */
  OTEL_TRACES_SAMPLER_ARG: number((share) => share >= 0 && share <= 1, 'from 0 to 1').default(1),
  /** Log lines received longer ago are deleted. */
  LOG_RETENTION_DAYS: wholeNumber(1, 36_500).default(400),
  /** Opens two logs in this dashboard instead of in the console. */
  LOG_DASHBOARD_URL: addressTemplate({ needed: ['installedProductId'], known: logDashboardPlaceholders }).optional(),
  /** Street tiles of the map. off: the map draws its own land, borders and names, and asks no other server. */
  MAP_TILES_URL: addressTemplate({ needed: ['z', 'x', 'y'], known: ['s', 'z', 'x', 'y', 'r'], or: 'off' }).default(
    'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  ),
  MAP_TILES_ATTRIBUTION: z.string().max(200).default('© OpenStreetMap contributors'),
  /** Instruments that the back office suggests first and marks as test instruments. */
  TEST_INSTRUMENTS: installedProductIds.optional(),
  /** Private networks that webhooks may reach. */
  WEBHOOK_NETWORKS: networks.default([]),
  WEBHOOK_LOG_DAYS: wholeNumber(1, 3650).default(30),
  /** A YAML file that defines which system creates service cases, and how. */
  CASE_DESK_FILE: z.string().optional(),
  CASE_NUMBER_PATTERN: pattern.optional(),
  CASE_URL_HOSTS: list.default([...DEFAULT_CASE_URL_HOSTS]),
  /** Set by the start command: the server ends when standard input closes, so that no process is orphaned. */
  BENCHWATCH_PARENT: z.enum(['stdin']).optional(),
})

export type Config = ReturnType<typeof readConfig>

/** Rights of the members of a group of the identity provider; `customers` are keys, null for all. */
export interface GroupRights {
  name: string
  role: Role
  customers: readonly string[] | null
}

/** The identity provider and its connection settings. */
export type IdentityConfig =
  | { provider: 'local' }
  | {
      provider: 'cognito'
      region: string
      userPoolId: string
      clientId: string
      clientSecret: string | null
      endpoint: string | null
    }
  | {
      provider: 'oidc'
      issuer: string
      clientId: string
      clientSecret: string | null
      trustEmail: boolean
    }

/** An invalid configuration; the message names every bad key. */
export class ConfigurationError extends Error {}

/** @param bad one fault a line, each beginning with its key */
function notUsable(bad: readonly string[]): ConfigurationError {
  const lines = bad.map((fault) => `  ${fault}`).join('\n')
  return new ConfigurationError(`The configuration can't be used:\n${lines}\nSee docs/configuration.md.`)
}

/**
 * Returns a sentence for each variable whose name is one slip away from that of a setting without a value, such as
 * SMPT_URL. Short names and those without an underscore are often those of other programs.
 */
export function misspelledSettings(variables: Record<string, string | undefined>): string[] {
  const settings = [...Object.keys(environment.shape), ...secretKeys.map((key) => `${key}_FILE`)]
  return Object.keys(variables).flatMap((name) => {
    if (!/^[A-Z0-9]{3,}_[A-Z0-9_]{3,}$/.test(name) || settings.includes(name)) return []
    const meant = settings.find((key) => !variables[key] && isOneSlip(name, key))
    return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`]
  })
}

/** True if one letter is missing, added or wrong, or two are swapped. */
function isOneSlip(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  let from = 0
  while (from < shorter && one[from] === other[from]) from++
  let end = 0
  while (end < shorter - from && one.at(-1 - end) === other.at(-1 - end)) end++
  const [a, b] = [one.slice(from, one.length - end), other.slice(from, other.length - end)]
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && a === [...b].reverse().join(''))
}

/** Reads and validates the configuration from an environment such as process.env. Throws ConfigurationError. */
export function readConfig(variables: Record<string, string | undefined>) {
  const { given, faults } = readEnvironment(variables, secretKeys)
  const parsed = environment.safeParse(given)
  const bad = [...faults, ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)]
  if (!parsed.success || bad.length > 0) throw notUsable(bad)
  const env = parsed.data
  const host = env.HOST ?? (env.DEMO === 'off' ? '0.0.0.0' : '127.0.0.1')
  if (env.DEMO === 'on' && !isLoopback(host)) {
    throw new ConfigurationError(
      `HOST is ${host}, but demo users with a published password exist. Set DEMO=off, or DEMO=public to allow it.`,
    )
  }
  const missing = missingKeys(env)
  if (missing.length > 0)
    throw notUsable(missing.map(({ key, because }) => `${key}: is required because ${because} is set`))
  return {
    host,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, '') ?? `http://localhost:${env.PORT}`,
    trustProxy: env.TRUST_PROXY ?? (false as const),
    dataDir: resolve(env.DATA_DIR),
    /** Null: export files are stored in the data directory. */
    exportBucket: env.EXPORT_STORE === 's3' ? exportBucketOf(env) : null,
    databaseUrl: env.DATABASE_URL ?? null,
    /** Null: `databaseUrl` leads to the database itself, not to a pooler. */
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? null,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    /** Null: long reads go to the primary. */
    replica:
      env.DATABASE_READ_URL === undefined
        ? null
        : { url: env.DATABASE_READ_URL, mostLagMs: env.DATABASE_READ_MAX_LAG_SECONDS * 1000 },
    /** Null: PostgreSQL alone. `cluster` null: one node. */
    clickhouse:
      env.CLICKHOUSE_URL === undefined ? null : { url: env.CLICKHOUSE_URL, cluster: env.CLICKHOUSE_CLUSTER ?? null },
    /** Null: PostgreSQL alone. */
    natsUrl: env.NATS_URL ?? null,
    eventIndex: env.EVENT_INDEX === 'on',
    databasePrepares: env.DATABASE_PREPARE === 'on',
    demo: env.DEMO,
    environment: env.BUILD_ENV,
    logLevel: env.LOG_LEVEL,
    product: env.PRODUCT_NAME,
    /** Null: the logo of the product. */
    logoFile: env.LOGO_FILE === undefined ? null : resolve(env.LOGO_FILE),
    copyright: env.COPYRIGHT ?? `© ${new Date().getFullYear()} ${env.PRODUCT_NAME}`,
    supportEmail: env.SUPPORT_EMAIL,
    companyEmailDomains: env.COMPANY_EMAIL_DOMAINS,
    deployment: env.DEPLOYMENT,
    accessTokenSeconds: env.ACCESS_TOKEN_MINUTES * 60,
    inactivityLimitSeconds: Math.round(env.SESSION_INACTIVITY_HOURS * 3600),
    mail: { smtpUrl: env.SMTP_URL ?? null, from: env.MAIL_FROM ?? `${env.PRODUCT_NAME} <${env.SUPPORT_EMAIL}>` },
    /** Null without Twilio. */
    twilio:
      env.TWILIO_ACCOUNT_SID === undefined
        ? null
        : {
            accountSid: env.TWILIO_ACCOUNT_SID,
            authToken: env.TWILIO_AUTH_TOKEN ?? '',
            from: env.TWILIO_FROM ?? '',
            apiUrl: env.TWILIO_API_URL,
          },
    identity: identityOf(env),
    /** Null: accounts are kept here only. */
    scim: scimOf(env),
    limits: {
      signInFailuresPerAccount: env.SIGN_IN_FAILURES_PER_ACCOUNT,
      signInFailuresPerAddress: env.SIGN_IN_FAILURES_PER_ADDRESS,
      codeTries: env.CODE_TRIES,
      codeResendSeconds: env.CODE_RESEND_SECONDS,
      smsPerNumberAndDay: env.SMS_PER_NUMBER_AND_DAY,
      sharesPerHour: env.SHARES_PER_HOUR,
      exportsPerHour: env.EXPORTS_PER_HOUR,
      notificationMailsPerHour: env.NOTIFICATION_MAILS_PER_HOUR,
      notificationSmsPerHour: env.NOTIFICATION_SMS_PER_HOUR,
      supportEmailsPerContactAndHour: env.SUPPORT_EMAILS_PER_CONTACT_PER_HOUR,
    },
    notificationDigestMinutes: env.NOTIFICATION_DIGEST_MINUTES,
    gatewaySilenceSeconds: env.GATEWAY_SILENCE_SECONDS,
    logRetentionDays: env.LOG_RETENTION_DAYS,
    /** `port` null: not on a port of their own. `token` null: not on the main port, and open on their own. */
    metrics: { port: env.METRICS_PORT ?? null, host: env.METRICS_HOST, token: env.METRICS_TOKEN ?? null },
    /** Null: OpenTelemetry is off. `sampledShare` is 0 to 1. */
    telemetry:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: env.OTEL_EXPORTER_OTLP_HEADERS,
            serviceName: env.OTEL_SERVICE_NAME,
            sampledShare: env.OTEL_TRACES_SAMPLER_ARG,
          },
    logDashboardUrl: env.LOG_DASHBOARD_URL ?? null,
    /** Null: off. */
    mapTiles: env.MAP_TILES_URL === 'off' ? null : mapTilesOf(env.MAP_TILES_URL, env.MAP_TILES_ATTRIBUTION),
    testInstruments: env.TEST_INSTRUMENTS ?? (env.DEMO === 'off' ? [] : DEMO_TEST_INSTRUMENTS),
    webhooks: { networks: env.WEBHOOK_NETWORKS, logDays: env.WEBHOOK_LOG_DAYS },
    /** Null: people type the numbers of service cases. */
    caseDeskFile: env.CASE_DESK_FILE === undefined ? null : resolve(env.CASE_DESK_FILE),
    caseNumberPattern: env.CASE_NUMBER_PATTERN ?? null,
    caseUrlHosts: env.CASE_URL_HOSTS,
    endWithParent: env.BENCHWATCH_PARENT === 'stdin',
  }
}

type Environment = z.output<typeof environment>

/** Keys that contain or may contain a password; each may be in a file (`<KEY>_FILE`). */
const secretKeys: readonly (keyof Environment)[] = [
  'CLICKHOUSE_URL',
  'COGNITO_CLIENT_SECRET',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'DATABASE_URL',
  'METRICS_TOKEN',
  'NATS_URL',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SCIM_TOKEN',
  'SMTP_URL',
  'TWILIO_AUTH_TOKEN',
]

/** Keys that must be set together. */
const together: { when: (env: Environment) => string | undefined; keys: readonly (keyof Environment)[] }[] = [
  { when: (env) => (env.EXPORT_STORE === 's3' ? 'EXPORT_STORE' : undefined), keys: ['EXPORT_S3_BUCKET'] },
  { when: (env) => env.DATABASE_READ_URL && 'DATABASE_READ_URL', keys: ['DATABASE_URL'] },
  { when: (env) => env.DATABASE_DIRECT_URL && 'DATABASE_DIRECT_URL', keys: ['DATABASE_URL'] },
  { when: (env) => env.CLICKHOUSE_CLUSTER && 'CLICKHOUSE_CLUSTER', keys: ['CLICKHOUSE_URL'] },
  {
    when: (env) => (['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const).find((key) => env[key]),
    keys: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  },
  { when: (env) => env.SCIM_TOKEN && 'SCIM_TOKEN', keys: ['SCIM_GROUPS'] },
  {
    when: (env) => (env.IDENTITY_PROVIDER === 'cognito' ? 'IDENTITY_PROVIDER' : undefined),
    keys: ['COGNITO_REGION', 'COGNITO_USER_POOL_ID', 'COGNITO_CLIENT_ID'],
  },
  {
    when: (env) => (env.IDENTITY_PROVIDER === 'oidc' ? 'IDENTITY_PROVIDER' : undefined),
    keys: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  },
]

function missingKeys(env: Environment): { key: string; because: string }[] {
  return together.flatMap(({ when, keys }) => {
    const because = when(env)
    if (because === undefined) return []
    return keys.filter((key) => env[key] === undefined).map((key) => ({ key, because }))
  })
}

function exportBucketOf(env: Environment) {
  const endpoint = env.EXPORT_S3_ENDPOINT ?? null
  return {
    bucket: env.EXPORT_S3_BUCKET ?? '',
    region: env.EXPORT_S3_REGION,
    /** Null: Amazon's. */
    endpoint,
    prefix: env.EXPORT_S3_PREFIX,
    isPathStyle: env.EXPORT_S3_PATH_STYLE === undefined ? endpoint !== null : env.EXPORT_S3_PATH_STYLE === 'on',
  }
}

/**
 * Adds the origin as a content security policy writes it: `https://*.tile.example`, because `{s}` stands for the names
 * of several hosts.
 */
function mapTilesOf(url: string, attribution: string) {
  const [origin = ''] = url.replace('{s}', '*').match(/^https?:\/\/[^/?#]+/) ?? []
  return { url, attribution, origin }
}

function scimOf({ SCIM_TOKEN: token, SCIM_GROUPS: groups = [], IDENTITY_PROVIDER }: Environment) {
  if (token === undefined) return null
  if (IDENTITY_PROVIDER === 'local')
    throw notUsable(['SCIM_TOKEN: needs IDENTITY_PROVIDER=oidc or cognito, because accounts of SCIM have no password'])
  return { token, groups }
}

function identityOf(env: Environment): IdentityConfig {
  switch (env.IDENTITY_PROVIDER) {
    case 'local':
      return { provider: 'local' }
    case 'cognito':
      return {
        provider: 'cognito',
        region: env.COGNITO_REGION ?? '',
        userPoolId: env.COGNITO_USER_POOL_ID ?? '',
        clientId: env.COGNITO_CLIENT_ID ?? '',
        clientSecret: env.COGNITO_CLIENT_SECRET ?? null,
        endpoint: env.COGNITO_ENDPOINT ?? null,
      }
    case 'oidc':
      return {
        provider: 'oidc',
        issuer: env.OIDC_ISSUER ?? '',
        clientId: env.OIDC_CLIENT_ID ?? '',
        clientSecret: env.OIDC_CLIENT_SECRET ?? null,
        trustEmail: env.OIDC_TRUST_EMAIL === 'on',
      }
  }
}
