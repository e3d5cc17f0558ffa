/** The features of the web app that may import each other, and why; `architecture.arrows.mjs` has those of the server. */

/** @type {import('./scripts/architecture/rules.ts').FeatureArrow[]} */
export const webArrows = [
  {
    from: 'calendars',
    to: 'instruments',
    files: ['instruments.search.ts', 'list/instrument-view.ts'],
    why: 'a calendar can use the filters of a saved view',
  },
  {
    from: 'calendars',
    to: 'users',
    why: 'a calendar can be limited to a customer, chosen from a list',
  },
  {
    from: 'calendars',
    to: 'views',
    why: 'a calendar can follow a saved view, chosen from a list',
  },
  {
    from: 'events',
    to: 'users',
    why: 'an owner is chosen from a list, and the viewer decides what is shown',
  },
  {
    from: 'events',
    to: 'connections',
    files: ['instrument-status-dot.tsx'],
    why: 'an event shows the current status of its instrument, and its gateway',
  },
  {
    from: 'events',
    to: 'event-emails',
    files: ['email-dropdown.tsx', 'email-list.tsx', 'share-button.tsx'],
    why: 'an event shows e-mails about it, and can be e-mailed to a colleague',
  },
  {
    from: 'events',
    to: 'exports',
    files: ['export-button.tsx'],
    why: 'the list, or a selection of it, can be exported',
  },
  {
    from: 'events',
    to: 'views',
    files: ['list-state.ts', 'view-menu.tsx'],
    why: 'the set-up of the list can be saved as a view',
  },
  {
    from: 'events',
    to: 'logs',
    files: ['viewer/view-logs.tsx'],
    why: 'an event opens the logs of its instrument',
  },
  {
    from: 'instruments',
    to: 'connections',
    files: ['instrument-status-dot.tsx', 'monitoring-note.tsx', 'orc-status-badge.tsx'],
    why: 'an instrument shows its status, its connection and other devices behind its gateway',
  },
  {
    from: 'instruments',
    to: 'maintenance',
    files: [
      'current-maintenance.ts',
      'maintenance-dialog.tsx',
      'maintenance-labels.ts',
      'maintenance-mark.tsx',
      'orc-status-menu.tsx',
    ],
    why: 'an instrument shows its maintenance, which can be planned there, and a list that of all',
  },
  {
    from: 'instruments',
    to: 'usage',
    files: ['runtime/runtime-card.tsx', 'usage-card.tsx'],
    why: 'an instrument shows the usage of its components',
  },
  {
    from: 'instruments',
    to: 'support-emails',
    files: ['support-email-list.tsx'],
    why: 'an instrument shows the support e-mails that its contact received',
  },
  {
    from: 'instruments',
    to: 'events',
    files: [
      'details/short-event-table.tsx',
      'event-cache.ts',
      'event-text.ts',
      'events.search.ts',
      'status/severity-badge.tsx',
      'owner/use-viewer.ts',
    ],
    why: 'an instrument shows its open events and those of a run',
  },
  {
    from: 'instruments',
    to: 'users',
    why: 'flags, filter values and the viewer decide what is shown',
  },
  {
    from: 'instruments',
    to: 'exports',
    files: ['export-button.tsx'],
    why: 'the list, or a selection of it, can be exported',
  },
  {
    from: 'instruments',
    to: 'views',
    files: ['list-state.ts', 'view-menu.tsx'],
    why: 'the set-up of the list can be saved as a view',
  },
  {
    from: 'maintenance',
    to: 'connections',
    files: ['monitoring-note.tsx', 'orc-status-badge.tsx'],
    why: 'the ORC status opens the menu for maintenance',
  },
  {
    from: 'usage',
    to: 'users',
    why: 'a flag decides whether usage is shown',
  },
  {
    from: 'report',
    to: 'instruments',
    files: ['details/network-configurations.ts'],
    why: 'the report describes the instrument as its page does',
  },
  {
    from: 'report',
    to: 'usage',
    files: ['runtime/runtime-axis.ts', 'usage-judgement.ts'],
    why: 'the report rates components and draws run time as their cards do',
  },
  {
    from: 'report',
    to: 'users',
    why: 'the report names its author, and flags decide what it shows',
  },
  {
    from: 'support-emails',
    to: 'registry',
    files: ['template-key-fields.tsx'],
    why: 'an e-mail template is identified like the event template of the same error',
  },
  {
    from: 'event-emails',
    to: 'users',
    why: 'receivers are chosen from a list',
  },
  {
    from: 'profiles',
    to: 'users',
    why: 'filter values are chosen from a list, and the viewer’s addresses are shown',
  },
  {
    from: 'profiles',
    to: 'events',
    files: ['details/short-event-table.tsx', 'list/event-filters.ts', 'owner/use-viewer.ts'],
    why: 'filters look like those of the list, and a preview shows events as lists do',
  },
  {
    from: 'webhooks',
    to: 'profiles',
    files: ['profile-filters.tsx'],
    why: 'filters are chosen as in notification profiles',
  },
  // Not the reverse: the screen passes the card of notifications to the event (routes/event-details.tsx).
  {
    from: 'notifications',
    to: 'events',
    files: ['status/severity-badge.tsx'],
    why: 'the history shows the events that caused notifications',
  },
  {
    from: 'notifications',
    to: 'users',
    files: ['found-users.ts'],
    why: 'support staff choose the user whose notifications they see',
  },
  // Not the reverse: the screen passes bulk changes to the list (routes/events.tsx).
  {
    from: 'bulk-changes',
    to: 'events',
    files: [
      'close/close-event-fields.tsx',
      'close/close-event-form.ts',
      'event-cache.ts',
      'owner/event-owner.ts',
      'list/event-list-request.ts',
      'list/new-events.ts',
    ],
    why: 'bulk changes use the form and the rules for a single event',
  },
  {
    from: 'bulk-changes',
    to: 'users',
    why: 'an owner is chosen from a list',
  },
  {
    from: 'administration',
    to: 'registry',
    why: 'a data scope consists of registered customers, and keys belong to registered gateways',
  },
  {
    from: 'administration',
    to: 'events',
    files: ['status/severity-badge.tsx'],
    why: 'texts of events are previewed as an event shows them',
  },
  {
    from: 'backoffice',
    to: 'events',
    files: ['status/severity-badge.tsx'],
    why: 'a held-back event shows its severity as an event does',
  },
  {
    from: 'backoffice',
    to: 'users',
    files: ['found-users.ts'],
    why: 'users are chosen as owners, or to be deleted',
  },
  {
    from: 'backoffice',
    to: 'profiles',
    files: ['notification-form.ts'],
    why: 'profiles have the same names as in the settings',
  },
  {
    from: 'backoffice',
    to: 'logs',
    files: ['log-labels.ts'],
    why: 'logs have the same names as elsewhere',
  },
]
