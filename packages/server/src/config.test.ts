import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { aFleet, demoSeed } from '@benchwatch/samples/fleet'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigurationError, misspelledSettings, readConfig } from './config.ts'

test('without any variable the product is Benchwatch on port 8080 with demo data, for this machine alone', () => {
  expect(readConfig({})).toMatchObject({
    product: 'Benchwatch',
    environment: 'prod',
    deployment: 'global',
    port: 8080,
    host: '127.0.0.1',
    demo: 'on',
    publicUrl: 'http://localhost:8080',
    trustProxy: false,
    dataDir: resolve('data'),
    inactivityLimitSeconds: 4 * 3600,
    eventIndex: true,
    companyEmailDomains: ['benchwatch.example', 'helixbio.example'],
    caseUrlHosts: ['*.my.salesforce.com', 'cases.benchwatch.example'],
  })
})

test('without the index in memory, PostgreSQL answers every search', () => {
  expect(readConfig({ EVENT_INDEX: 'off' }).eventIndex).toBe(false)
})

test('name, logo, support address, company domains, deployment, copyright and environment are what is set', () => {
  expect(
    readConfig({
      PRODUCT_NAME: 'Lab Console',
      LOGO_FILE: '/etc/lab/logo.svg',
      SUPPORT_EMAIL: 'help@lab.example',
      COMPANY_EMAIL_DOMAINS: 'Lab.example, labs.example',
      DEPLOYMENT: 'china',
      COPYRIGHT: '© Lab AB',
      BUILD_ENV: 'stage',
      PORT: '9000',
      TRUST_PROXY: '10.0.0.0/8',
    }),
  ).toMatchObject({
    product: 'Lab Console',
    logoFile: '/etc/lab/logo.svg',
    supportEmail: 'help@lab.example',
    companyEmailDomains: ['lab.example', 'labs.example'],
    deployment: 'china',
    copyright: '© Lab AB',
    environment: 'stage',
    publicUrl: 'http://localhost:9000',
    trustProxy: ['10.0.0.0/8'],
  })
  expect(readConfig({ PRODUCT_NAME: 'Lab Console' })).toMatchObject({
    logoFile: null,
    copyright: `© ${new Date().getFullYear()} Lab Console`,
    mail: { from: 'Lab Console <support@benchwatch.example>' },
  })
})

test('instruments for tests are what is set; the demo has some of its own fleet, and without the demo there are none', () => {
  const known = new Set(aFleet({ seed: demoSeed }).instruments.map(({ key }) => key))
  const { testInstruments } = readConfig({})
  expect(testInstruments.length).toBeGreaterThan(0)
  expect(testInstruments.filter((id) => !known.has(id))).toEqual([])
  expect(readConfig({ DEMO: 'off' }).testInstruments).toEqual([])
  expect(readConfig({ TEST_INSTRUMENTS: 'IP-1, IP-2,' }).testInstruments).toEqual(['IP-1', 'IP-2'])
  expect(() => readConfig({ TEST_INSTRUMENTS: 'IP 1' })).toThrow('TEST_INSTRUMENTS')
})

test('the limits are those of the specification, and all can be set', () => {
  expect(readConfig({})).toMatchObject({
    accessTokenSeconds: 900,
    limits: {
      signInFailuresPerAccount: 5,
      signInFailuresPerAddress: 50,
      codeTries: 5,
      codeResendSeconds: 5,
      smsPerNumberAndDay: 10,
      sharesPerHour: 20,
      exportsPerHour: 20,
    },
  })
  const keys = [
    ...['SIGN_IN_FAILURES_PER_ACCOUNT', 'SIGN_IN_FAILURES_PER_ADDRESS', 'CODE_TRIES', 'CODE_RESEND_SECONDS'],
    ...['SMS_PER_NUMBER_AND_DAY', 'SHARES_PER_HOUR', 'EXPORTS_PER_HOUR'],
  ]
  const set = readConfig(Object.fromEntries(keys.map((key, index) => [key, String(index + 30)])))
  expect(Object.values(set.limits).slice(0, keys.length)).toEqual([30, 31, 32, 33, 34, 35, 36])
})

test('without demo users every address is listened on', () => {
  expect(readConfig({ DEMO: 'off' }).host).toBe('0.0.0.0')
  expect(readConfig({ DEMO: 'off', HOST: '10.0.0.7' }).host).toBe('10.0.0.7')
})

test.each(['0.0.0.0', '10.0.0.7', 'bench.example'])(
  'demo users at %s are refused, unless they are meant to be public',
  (host) => {
    expect(() => readConfig({ HOST: host })).toThrow('Set DEMO=off, or DEMO=public to allow it.')
    expect(readConfig({ HOST: host, DEMO: 'public' })).toMatchObject({ host, demo: 'public' })
  },
)

test('the time of inactivity after which a session ends is given in hours', () => {
  expect(readConfig({ SESSION_INACTIVITY_HOURS: '0.5' }).inactivityLimitSeconds).toBe(1800)
  expect(() => readConfig({ SESSION_INACTIVITY_HOURS: '0' })).toThrow('SESSION_INACTIVITY_HOURS')
})

test('a bad configuration lists every bad key, and an empty one counts as absent', () => {
  const bad = { PORT: 'eighty', DEMO: 'maybe', CASE_NUMBER_PATTERN: '(', DEPLOYMENT: 'mars', LOG_LEVEL: '' }
  expect(() => readConfig(bad)).toThrow(ConfigurationError)
  expect(() => readConfig(bad)).toThrow(
    /PORT: must be a whole number[^\n]*\n[^]*DEMO: [^]*DEPLOYMENT: [^]*CASE_NUMBER_PATTERN: is not a regular expression/,
  )
  expect(() => readConfig(bad)).not.toThrow(/LOG_LEVEL/)
})

test.each([
  ['PUBLIC_URL', 'console.example', 'must look like https://host or http://host:port'],
  ['SMTP_URL', 'mail.example', 'must look like smtp://user:password@host:587'],
  ['OIDC_ISSUER', 'id.example', 'must look like https://host or http://host:port'],
  ['TRUST_PROXY', 'yes', 'must be addresses or subnets such as 10.20.0.0/16, with commas between them'],
  ['TRUST_PROXY', '10.0.0.1,10.0.0.0/33', 'must be addresses or subnets'],
  ['SESSION_INACTIVITY_HOURS', 'four', 'must be a number above 0, up to 720'],
])('%s=%s is refused with a sentence that says what it must be', (key, value, sentence) => {
  expect(() => readConfig({ [key]: value })).toThrow(`  ${key}: ${sentence}`)
})

test.each([
  ['2', 2],
  ['10.0.0.1, fd00::/8,loopback', ['10.0.0.1', 'fd00::/8', 'loopback']],
])('the proxies %s are trusted', (given, trusted) => {
  expect(readConfig({ TRUST_PROXY: given }).trustProxy).toEqual(trusted)
})

test('the address past a pooler needs the one of the pooler', () => {
  const pooler = 'postgres://requests@pooler:6432/benchwatch'
  const direct = 'postgres://owner@one:5432,two:5432/benchwatch'
  expect(readConfig({ DATABASE_URL: pooler })).toMatchObject({ databaseUrl: pooler, databaseDirectUrl: null })
  expect(readConfig({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: direct }).databaseDirectUrl).toBe(direct)
  expect(() => readConfig({ DATABASE_DIRECT_URL: direct })).toThrow(
    'DATABASE_URL: is required because DATABASE_DIRECT_URL is set',
  )
})

test('metrics are nowhere by default, and a token of theirs is no short one', () => {
  expect(readConfig({}).metrics).toEqual({ port: null, host: '127.0.0.1', token: null })
  const given = { METRICS_PORT: '9464', METRICS_HOST: '10.0.0.7', METRICS_TOKEN: 'a-token-of-16-signs' }
  expect(readConfig(given).metrics).toEqual({ port: 9464, host: '10.0.0.7', token: 'a-token-of-16-signs' })
  expect(() => readConfig({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN: must have at least 16 characters')
})

describe('addresses with placeholders', () => {
  test('tiles of the map come from the public OpenStreetMap servers unless they are off', () => {
    expect(readConfig({}).mapTiles).toEqual({
      url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
      attribution: '© OpenStreetMap contributors',
      origin: 'https://tile.openstreetmap.org',
    })
    expect(readConfig({ MAP_TILES_URL: 'off' }).mapTiles).toBeNull()
  })

  test('tiles of the map are allowed from all the hosts that the address may mean', () => {
    expect(readConfig({ MAP_TILES_URL: 'https://{s}.tile.example/{z}/{x}/{y}{r}.png' }).mapTiles).toEqual({
      url: 'https://{s}.tile.example/{z}/{x}/{y}{r}.png',
      attribution: '© OpenStreetMap contributors',
      origin: 'https://*.tile.example',
    })
    expect(readConfig({ MAP_TILES_URL: 'http://tiles.example:8081/{z}/{x}/{y}' }).mapTiles?.origin).toBe(
      'http://tiles.example:8081',
    )
  })

  test.each([
    ['MAP_TILES_URL', 'https://tile.example/{z}/{x}.png', 'must contain {y}'],
    ['MAP_TILES_URL', 'tile.example/{z}/{x}/{y}', 'must be an address that begins with https:// or http://'],
    ['MAP_TILES_URL', 'https://tile.example;script-src/{z}/{x}/{y}', 'must be an address'],
    ['LOG_DASHBOARD_URL', 'https://logs.example/{instrument}', '{instrument} is not a known placeholder'],
    ['LOG_DASHBOARD_URL', 'https://logs.example/', 'must contain {installedProductId}'],
  ])('%s=%s is refused', (key, value, message) => {
    expect(() => readConfig({ [key]: value })).toThrow(message)
  })
})

describe('identity providers', () => {
  const cognito = {
    IDENTITY_PROVIDER: 'cognito',
    COGNITO_REGION: 'eu-north-1',
    COGNITO_USER_POOL_ID: 'eu-north-1_Pool',
    COGNITO_CLIENT_ID: 'client',
  }
  const oidc = { IDENTITY_PROVIDER: 'oidc', OIDC_ISSUER: 'https://id.example/realms/lab', OIDC_CLIENT_ID: 'benchwatch' }

  test('are asked with what is set for them', () => {
    expect(readConfig({}).identity).toEqual({ provider: 'local' })
    expect(readConfig(cognito).identity).toEqual({
      provider: 'cognito',
      region: 'eu-north-1',
      userPoolId: 'eu-north-1_Pool',
      clientId: 'client',
      clientSecret: null,
      endpoint: null,
    })
    expect(readConfig({ ...oidc, OIDC_CLIENT_SECRET: 's', OIDC_TRUST_EMAIL: 'on' }).identity).toEqual({
      provider: 'oidc',
      issuer: 'https://id.example/realms/lab',
      clientId: 'benchwatch',
      clientSecret: 's',
      trustEmail: true,
    })
    expect(readConfig(oidc).identity).toMatchObject({ clientSecret: null, trustEmail: false })
  })

  test('need all that belongs to them', () => {
    expect(() => readConfig({ ...cognito, COGNITO_CLIENT_ID: '' })).toThrow(
      'COGNITO_CLIENT_ID: is required because IDENTITY_PROVIDER is set',
    )
    expect(() => readConfig({ ...oidc, OIDC_ISSUER: '' })).toThrow('OIDC_ISSUER: is required')
  })

  test.each(['http://127.0.0.1:9229', 'http://localhost:9229', 'http://[::1]:9229', 'https://id.example'])(
    'get passwords and tokens at %s',
    (url) => {
      expect(readConfig({ ...oidc, OIDC_ISSUER: url }).identity).toMatchObject({ issuer: url })
      expect(readConfig({ ...cognito, COGNITO_ENDPOINT: url }).identity).toMatchObject({ endpoint: url })
    },
  )

  test.each(['http://id.example', 'http://127.0.0.1.id.example', 'http://10.0.0.7'])(
    'never get them in clear over a network: %s',
    (url) => {
      expect(() => readConfig({ ...oidc, OIDC_ISSUER: url })).toThrow(/OIDC_ISSUER: must begin with https/)
      expect(() => readConfig({ ...cognito, COGNITO_ENDPOINT: url })).toThrow(/COGNITO_ENDPOINT: must begin with https/)
    },
  )
})

describe('SCIM', () => {
  const oidc = { IDENTITY_PROVIDER: 'oidc', OIDC_ISSUER: 'https://id.example/realms/lab', OIDC_CLIENT_ID: 'benchwatch' }
  const token = 'a-token-with-more-than-thirty-two-characters'

  test('has a token, or a file with it, and the rights of groups', () => {
    expect(readConfig({ ...oidc, SCIM_GROUPS: 'A=admin' }).scim).toBeNull()
    const groups = ' Lab admins = admin;Helix=customer: Helix-1 , helix-2;; Field/north=service:n; '
    expect(readConfig({ ...oidc, SCIM_TOKEN: token, SCIM_GROUPS: groups }).scim).toEqual({
      token,
      groups: [
        { name: 'Lab admins', role: 'admin', customers: null },
        { name: 'Helix', role: 'customer', customers: ['Helix-1', 'helix-2'] },
        { name: 'Field/north', role: 'service', customers: ['n'] },
      ],
    })
    const file = join(mkdtempSync(join(tmpdir(), 'benchwatch-config-')), 'token')
    writeFileSync(file, `${token}\n`)
    expect(readConfig({ ...oidc, SCIM_TOKEN_FILE: file, SCIM_GROUPS: 'A=admin' }).scim?.token).toBe(token)
  })

  test.each([
    [{ SCIM_TOKEN: token }, 'SCIM_GROUPS: is required because SCIM_TOKEN is set'],
    [{ SCIM_TOKEN: 'short', SCIM_GROUPS: 'A=admin' }, 'SCIM_TOKEN: must have at least 32 characters'],
    [{ SCIM_TOKEN: token, SCIM_GROUPS: 'A=boss' }, '"A=boss" must be group=role'],
    [{ SCIM_TOKEN: token, SCIM_GROUPS: 'A=customer' }, '"A=customer" needs keys of customers after the colon'],
    [{ SCIM_TOKEN: token, SCIM_GROUPS: 'A=service:' }, '"A=service:" needs keys of customers after the colon'],
    [
      { SCIM_TOKEN_FILE: '/nowhere/token', SCIM_GROUPS: 'A=admin' },
      "SCIM_TOKEN_FILE: the file /nowhere/token can't be read",
    ],
    [{ SCIM_TOKEN: token, SCIM_GROUPS: 'A=admin', IDENTITY_PROVIDER: 'local' }, 'SCIM_TOKEN: needs IDENTITY_PROVIDER'],
  ])('says what is wrong with %j', (keys, sentence) => {
    expect(() => readConfig({ ...oidc, ...keys })).toThrow(sentence)
  })
})

test('a replica belongs to an external database, and has a limit of its lag', () => {
  const url = 'postgresql://app:secret@replica:5432/benchwatch'
  expect(() => readConfig({ DATABASE_READ_URL: url })).toThrow(
    'DATABASE_URL: is required because DATABASE_READ_URL is set',
  )
  const external = { DATABASE_URL: 'postgresql://app:secret@primary:5432/benchwatch', DATABASE_READ_URL: url }
  expect(readConfig(external).replica).toEqual({ url, mostLagMs: 10_000 })
  expect(() => readConfig({ ...external, DATABASE_READ_URL: 'replica:5432' })).toThrow(
    'DATABASE_READ_URL: must look like postgresql://user:password@host:5432/database',
  )
  expect(() => readConfig({ ...external, DATABASE_READ_MAX_LAG_SECONDS: '0' })).toThrow('DATABASE_READ_MAX_LAG_SECONDS')
  expect(readConfig({}).replica).toBeNull()
})

test('a bucket for export files is named, its prefix ends with a slash, and another endpoint has it in the path', () => {
  const s3 = { EXPORT_STORE: 's3', EXPORT_S3_BUCKET: 'files' }
  expect(() => readConfig({ EXPORT_STORE: 's3' })).toThrow('EXPORT_S3_BUCKET: is required because EXPORT_STORE is set')
  expect(() => readConfig({ ...s3, EXPORT_S3_PREFIX: 'exports' })).toThrow('EXPORT_S3_PREFIX: must consist of names')
  expect(readConfig(s3).exportBucket).toEqual({
    bucket: 'files',
    region: 'us-east-1',
    endpoint: null,
    prefix: 'exports/',
    isPathStyle: false,
  })
  const other = { ...s3, EXPORT_S3_ENDPOINT: 'http://minio:9000' }
  expect(readConfig(other).exportBucket).toMatchObject({ endpoint: 'http://minio:9000', isPathStyle: true })
  expect(readConfig({ ...other, EXPORT_S3_PATH_STYLE: 'off' }).exportBucket).toMatchObject({ isPathStyle: false })
  expect(readConfig({}).exportBucket).toBeNull()
})

test('the headers for the collector are percent-decoded, and an unreadable one is not quoted', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318'
  const read = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }).telemetry?.headers
  expect(read('authorization=Bearer%20a%3Db, x-tenant=lab')).toEqual({ authorization: 'Bearer a=b', 'x-tenant': 'lab' })
  for (const bad of ['secret', 'x-tenant=lab,', 'a=%zz', '=secret']) {
    expect(() => read(bad)).toThrow('OTEL_EXPORTER_OTLP_HEADERS: must look like name=value')
    expect(() => read(bad)).not.toThrow(bad)
  }
  expect(readConfig({}).telemetry).toBeNull()
})

describe('secrets in files', () => {
  let folder: string
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('each secret may be in a file, without spaces and line breaks around it', () => {
    const config = readConfig({
      CLICKHOUSE_URL_FILE: write('clickhouse', 'http://benchwatch:1@clickhouse:8123/benchwatch\n'),
      DATABASE_DIRECT_URL_FILE: write('direct', 'postgres://benchwatch:2@database/benchwatch'),
      DATABASE_READ_URL_FILE: write('read', 'postgres://benchwatch:3@replica/benchwatch'),
      DATABASE_URL_FILE: write('database', '\n postgres://benchwatch:4@pooler/benchwatch \r\n'),
      METRICS_TOKEN_FILE: write('metrics', '0123456789abcdef\n'),
      NATS_URL_FILE: write('nats', 'nats://5@nats:4222'),
      SMTP_URL_FILE: write('smtp', 'smtp://benchwatch:6@mail:587'),
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN_FILE: write('twilio', 'seven'),
      TWILIO_FROM: '+46700000000',
      IDENTITY_PROVIDER: 'oidc',
      OIDC_ISSUER: 'https://identity.example',
      OIDC_CLIENT_ID: 'console',
      OIDC_CLIENT_SECRET_FILE: write('oidc', 'eight'),
    })
    expect(config).toMatchObject({
      clickhouse: { url: 'http://benchwatch:1@clickhouse:8123/benchwatch' },
      databaseDirectUrl: 'postgres://benchwatch:2@database/benchwatch',
      replica: { url: 'postgres://benchwatch:3@replica/benchwatch' },
      databaseUrl: 'postgres://benchwatch:4@pooler/benchwatch',
      metrics: { token: '0123456789abcdef' },
      natsUrl: 'nats://5@nats:4222',
      mail: { smtpUrl: 'smtp://benchwatch:6@mail:587' },
      twilio: { authToken: 'seven' },
      identity: { clientSecret: 'eight' },
    })
    const cognito = {
      ...{ IDENTITY_PROVIDER: 'cognito', COGNITO_REGION: 'eu-north-1', COGNITO_USER_POOL_ID: 'pool' },
      ...{ COGNITO_CLIENT_ID: 'console', COGNITO_CLIENT_SECRET_FILE: write('cognito', 'nine') },
    }
    expect(readConfig(cognito).identity).toMatchObject({ clientSecret: 'nine' })
  })

  test('a secret that is set twice, an empty file and one that is missing stop the start, without the secret', () => {
    const bad = {
      SMTP_URL: 'smtp://benchwatch:hidden@mail:587',
      SMTP_URL_FILE: write('smtp', 'smtp://benchwatch:hidden@mail:587'),
      METRICS_TOKEN_FILE: write('empty', ' \n'),
      DATABASE_URL_FILE: join(folder, 'none'),
    }
    const refused = () => readConfig(bad)
    expect(refused).toThrow('SMTP_URL: is set, and so is SMTP_URL_FILE. Remove one of them.')
    expect(refused).toThrow(`METRICS_TOKEN_FILE: the file ${folder}/empty is empty.`)
    expect(refused).toThrow(`DATABASE_URL_FILE: the file ${folder}/none can't be read (ENOENT).`)
    expect(refused).not.toThrow('hidden')
  })

  test('a secret in a file is held to the same rules, and an empty variable counts as unset', () => {
    expect(() => readConfig({ METRICS_TOKEN_FILE: write('short', 'short') })).toThrow(
      'METRICS_TOKEN: must have at least 16 characters',
    )
    const smtp = write('smtp', 'smtp://mail')
    expect(readConfig({ SMTP_URL: '', SMTP_URL_FILE: smtp, DATABASE_URL_FILE: '' })).toMatchObject({
      mail: { smtpUrl: 'smtp://mail' },
      databaseUrl: null,
    })
  })
})

test('a name that is one slip away from a setting is told, and those of other programs are not', () => {
  const names = ['SMPT_URL', 'METRIC_TOKEN_FILE', 'TRUSTT_PROXY', 'SUPPORT_EMAIK']
  expect(misspelledSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([
    'SMPT_URL is not a setting. Did you mean SMTP_URL?',
    'METRIC_TOKEN_FILE is not a setting. Did you mean METRICS_TOKEN_FILE?',
    'TRUSTT_PROXY is not a setting. Did you mean TRUST_PROXY?',
    'SUPPORT_EMAIK is not a setting. Did you mean SUPPORT_EMAIL?',
  ])
  const others = { DATABASE_URI: 'x', DATABASE_URL: 'x', SMTP_HOST: 'x', HOSTS: 'x', LOGLEVEL: 'x', GATEWAY_KEY: 'x' }
  expect(misspelledSettings({ ...others, SMTP_URL: 'x', PUBLIC_URL: '' })).toEqual([])
})
