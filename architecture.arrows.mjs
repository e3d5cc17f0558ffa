/**
 * How the features hang together, inside the server and inside the web app: which may ask which, and why. Both lists stay
 * free of cycles; `architecture.rules.mjs` holds everything else and takes them from here.
 */

/** @type {import('./scripts/architecture/rules.ts').FeatureArrow[]} */
export const serverArrows = [
  { from: 'auth', to: 'users', why: 'whoever calls is a user with a data scope and flags' },
  { from: 'live', to: 'auth', why: 'a live token opens the connection, an ended session closes it' },
  { from: 'service-events', to: 'users', why: 'whom an event may be assigned to, and the name of its owner' },
  { from: 'views', to: 'users', why: 'the name of a colleague who shares a view' },
  { from: 'bulk-changes', to: 'users', why: 'who a person is by the time of each step' },
  { from: 'logs', to: 'instruments', why: 'whose log is read' },
  { from: 'instruments', to: 'service-events', why: 'the events that an instrument has raised' },
  { from: 'instruments', to: 'maintenance', why: 'whether it is in maintenance, and was' },
  { from: 'instruments', to: 'usage', why: 'how long it ran, on its time line' },
  { from: 'instruments', to: 'users', why: 'run times are for whom a flag shows them' },
  // Coordinators: they command other features and may therefore import more than a door.
  {
    from: 'bulk-changes',
    to: 'service-events',
    files: ['column-store.ts', 'event-list.queries.ts', 'selection.queries.ts', 'service-events.service.ts'],
    why: 'finds what the list finds, and changes each event by the rules of one',
  },
  {
    from: 'exports',
    to: 'service-events',
    files: [
      'alarm-row.ts',
      'event-page.queries.ts',
      'selection.queries.ts',
      'service-event-codes.ts',
      'service-events.queries.ts',
    ],
    why: 'a file holds what the list finds, in its order',
  },
  {
    from: 'exports',
    to: 'instruments',
    files: ['instrument-order.queries.ts', 'instrument-rows.queries.ts', 'selection.queries.ts'],
    why: 'and so for instruments',
  },
  { from: 'exports', to: 'users', why: 'what a person may see by the time the file is written' },
  { from: 'exports', to: 'auth', files: ['sealed-secret.ts'], why: 'a link opens a file without a session' },
  {
    from: 'ingest',
    to: 'service-events',
    files: ['change-record.ts', 'new-service-event.ts', 'service-events.store.ts'],
    why: 'a raise becomes a service event',
  },
  {
    from: 'connections',
    to: 'service-events',
    files: ['change-record.ts', 'new-service-event.ts', 'service-events.store.ts'],
    why: 'a connection that is lost becomes a service event',
  },
  { from: 'connections', to: 'registry', files: ['full-support.ts'], why: 'under a 24-hour contract, or not' },
  { from: 'connections', to: 'users', why: 'flags of the deployment say whether it does' },
  { from: 'ingest', to: 'users', why: 'component usage is kept only while a flag lets somebody see it' },
  {
    from: 'ingest',
    to: 'registry',
    files: ['full-support.ts'],
    why: 'whether the contract promises help around the clock is stored on the event as it is raised',
  },
  {
    from: 'event-emails',
    to: 'service-events',
    files: ['service-events.service.ts', 'service-events.store.ts'],
    why: 'a mail tells what an event says, and is recorded on it',
  },
  { from: 'event-emails', to: 'users', why: 'whom an event may be mailed to, and whose address may be shown' },
  { from: 'event-emails', to: 'messages', files: ['mail-frame.ts'], why: 'mails go out in the shared frame' },
  {
    from: 'auth',
    to: 'messages',
    files: ['mail-texts.ts'],
    why: 'codes and notices go out in the shared frame',
  },
  {
    from: 'account',
    to: 'auth',
    files: [
      'attempts.ts',
      'credential.store.ts',
      'identity-provider.ts',
      'new-password.ts',
      'one-time-code.ts',
      'origin.ts',
      'password-hash.ts',
      'password.store.ts',
      'provider-session.ts',
      'second-factor.store.ts',
      'session.store.ts',
      'totp.ts',
    ],
    why: 'people change by themselves what they sign in with, by the rules and limits of signing in',
  },
  { from: 'account', to: 'messages', files: ['mail-texts.ts'], why: 'and are told by mail what changed' },
  { from: 'administration', to: 'messages', files: ['mail-texts.ts'], why: 'so do invitations' },
  {
    from: 'administration',
    to: 'auth',
    files: [
      'api-tokens.store.ts',
      'password-hash.ts',
      'password.store.ts',
      'second-factor.store.ts',
      'session.store.ts',
      'sign-in-failure.store.ts',
      'temporary-password.ts',
    ],
    why: 'administrators invite, unlock and disable, and make tokens',
  },
  {
    from: 'administration',
    to: 'ingest',
    files: ['gateway-keys.store.ts', 'gateway-keys.ts'],
    why: 'administrators make and revoke keys of gateways',
  },
  {
    from: 'administration',
    to: 'users',
    files: ['feature-flags.store.ts', 'users.store.ts'],
    why: 'administrators keep users and flags',
  },
]

/** @type {import('./scripts/architecture/rules.ts').FeatureArrow[]} */
export const webArrows = [
  { from: 'service-events', to: 'users', why: 'owners to choose from, and who is looking' },
  {
    from: 'service-events',
    to: 'connections',
    files: ['instrument-status-dot.tsx'],
    why: 'what instruments do now, and the gateway behind an event',
  },
  {
    from: 'service-events',
    to: 'event-emails',
    files: ['email-dropdown.tsx', 'share-button.tsx'],
    why: 'what was mailed about an event, and mailing it to a colleague, stand beside it',
  },
  {
    from: 'service-events',
    to: 'exports',
    files: ['export-button.tsx'],
    why: 'the list and a selection of it as a file',
  },
  {
    from: 'service-events',
    to: 'views',
    files: ['applied-view.ts', 'view-menu.tsx', 'viewed-list.ts'],
    why: 'the list as it is set up, under a name',
  },
  {
    from: 'service-events',
    to: 'logs',
    files: ['page-logs.tsx', 'row-logs.tsx'],
    why: 'what the instrument wrote around an event stands beside it',
  },
  { from: 'event-emails', to: 'users', why: 'receivers to choose from' },
  // Not the other way: the screen hands the map to the list (routes/events.tsx).
  {
    from: 'event-map',
    to: 'service-events',
    files: [
      'event-list-header.tsx',
      'event-list-request.ts',
      'event-text.ts',
      'event-time.tsx',
      'event-toasts.ts',
      'map-view.ts',
      'new-events-bar.tsx',
      'new-events.ts',
      'service-event-cache.ts',
      'service-events.search.ts',
      'severity-badge.tsx',
      'severity-shape.tsx',
      'use-now.ts',
    ],
    why: 'another picture of the same list',
  },
  // Not the other way: the screen hands bulk changes to the list (routes/events.tsx).
  {
    from: 'bulk-changes',
    to: 'service-events',
    files: ['close-event-form.ts', 'close-event-fields.tsx', 'event-selection.ts', 'event-owner.ts'],
    why: 'the same form and rules as for one event',
  },
  { from: 'bulk-changes', to: 'users', why: 'owners to choose from' },
  {
    from: 'administration',
    to: 'registry',
    why: 'customers of a data scope to choose from, and the gateways whose keys are kept',
  },
]
