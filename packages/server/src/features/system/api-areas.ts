import type { Access, Route } from '@benchwatch/contract/route'

/** Parts of the API in the order of the reference; a path belongs to the first that fits it. */
const areas: readonly { name: string; description: string; paths: RegExp }[] = [
  {
    name: 'Mails about events',
    description: 'Sharing an event, what was mailed about it, and whom it was told.',
    paths: /^\/alarms\/(?:share|:id\/(?:emails|notif\w+(?:-\w+)?)|automatic-email-subject)$|^\/notifications/,
  },
  {
    name: 'Service events',
    description: 'What instruments and gateways raise, and people take and close.',
    paths: /^\/alarms/,
  },
  {
    name: 'Logs',
    description: 'Lines that instruments and the computers beside them have written.',
    paths: /^\/instrument-logs/,
  },
  {
    name: 'Instruments',
    description: 'Connected instruments with their statuses, usage, run time and maintenance.',
    paths: /^\/(?:instruments|maintenance)/,
  },
  {
    name: 'Exports and views',
    description: 'Lists as files, and lists kept under a name.',
    paths: /^\/(?:exports?|views)/,
  },
  {
    name: 'People',
    description: 'Users, their flags, filters and notification profiles.',
    paths: /^\/(?:users|profiles)/,
  },
  { name: 'Key figures', description: 'Dashboards, and the tables of the built-in one.', paths: /^\/kpi/ },
  { name: 'Unsubscribing', description: 'The links in automatic support e-mails.', paths: /^\/unsubscribe/ },
  { name: 'Back office', description: 'Tools of the support desk behind the flag BACKOFFICE.', paths: /^\/backoffice/ },
  { name: 'Signing in', description: 'Sessions, second factors and forgotten passwords.', paths: /^\/auth/ },
  { name: 'Account', description: 'One’s own sessions, password and second factor.', paths: /^\/account/ },
  {
    name: 'Administration',
    description: 'Users, flags, keys, tokens and support e-mails.',
    paths: /^\/administration/,
  },
  { name: 'Registry', description: 'How customers, sites, contracts and instruments come in.', paths: /^\/registry/ },
  { name: 'Ingest', description: 'How gateways report.', paths: /^\/ingest/ },
  { name: 'The product itself', description: 'Health, help, messages that left, and this description.', paths: /^\// },
]

/** Name and description of each part, as OpenAPI has its tags. */
export const apiTags = areas.map(({ name, description }) => ({ name, description }))

/** The part to which a path below /api belongs. */
export function areaOf(path: string): string {
  const area = areas.find(({ paths }) => paths.test(path))
  if (!area) throw new Error(`${path} belongs to no part of the API.`)
  return area.name
}

/** Who may call a route, and what can be relied on, as a sentence or two. */
export function describeAccess({ access, retry }: Route): string {
  return [callers(access), retry === true ? 'Repeating it is harmless.' : undefined].filter(Boolean).join(' ')
}

function callers(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'Anybody may call it, without a token.'
    case 'gateway':
      return 'For gateways, with a key of their own.'
    case 'registry':
      return 'For administrators, and API tokens with the scope registry.'
    case 'kpi-embed':
      return 'For the built-in dashboard, with the token that GET /kpi/{id} puts into its address.'
    case 'outbox':
      return 'Exists only in the demo: for anybody on the same machine, for administrators from elsewhere.'
    case 'signed-in': {
      const roles = access.roles ? `with the role ${inWords(access.roles)}` : 'of every role'
      const flags = access.flags
        ? `, while ${inWords(access.flags, 'and')} ${access.flags.length > 1 ? 'are' : 'is'} on for them`
        : ''
      return `For people who are signed in, ${roles}${flags}.`
    }
  }
}

function inWords(names: readonly string[], last = 'or'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
}
