/** How the features of the web app hang together, as `architecture.arrows.mjs` says of the server. */

/** @type {import('./scripts/architecture/rules.ts').FeatureArrow[]} */
export const webArrows = [
  {
    from: 'calendars',
    to: 'instruments',
    files: ['instruments.search.ts', 'list/instrument-view.ts'],
    why: 'the filters of a saved view',
  },
  {
    from: 'calendars',
    to: 'users',
    why: 'the customers to choose from',
  },
  {
    from: 'calendars',
    to: 'views',
    why: 'the views to choose from',
  },
  {
    from: 'events',
    to: 'users',
    why: 'owners to choose from, and who is looking',
  },
  {
    from: 'events',
    to: 'connections',
    files: ['instrument-status-dot.tsx'],
    why: 'what instruments do now, and the gateway behind an event',
  },
  {
    from: 'events',
    to: 'event-emails',
    files: ['email-dropdown.tsx', 'email-list.tsx', 'share-button.tsx'],
    why: 'what was mailed about an event, and mailing it to a colleague, stand beside it',
  },
  {
    from: 'events',
    to: 'exports',
    files: ['export-button.tsx'],
    why: 'the list and a selection of it as a file',
  },
  {
    from: 'events',
    to: 'views',
    files: ['list-state.ts', 'view-menu.tsx'],
    why: 'the list as it is set up, under a name',
  },
  {
    from: 'events',
    to: 'logs',
    files: ['viewer/view-logs.tsx'],
    why: 'what the instrument wrote around an event stands beside it',
  },
  {
    from: 'instruments',
    to: 'connections',
    files: ['instrument-status-dot.tsx', 'monitoring-note.tsx', 'orc-status-badge.tsx'],
    why: 'what an instrument does, how it is connected, and what else is connected there',
  },
  {
    from: 'instruments',
    to: 'maintenance',
    files: ['orc-status-menu.tsx'],
    why: 'whether it is in maintenance, and putting it there',
  },
  {
    from: 'instruments',
    to: 'usage',
    files: ['runtime/runtime-card.tsx', 'usage-card.tsx'],
    why: 'how much it was used',
  },
  {
    from: 'instruments',
    to: 'support-emails',
    files: ['support-email-list.tsx'],
    why: 'what its contact is mailed by itself',
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
    why: 'its open events, and those of a run',
  },
  {
    from: 'instruments',
    to: 'users',
    why: 'flags, filter data, and who is looking',
  },
  {
    from: 'instruments',
    to: 'exports',
    files: ['export-button.tsx'],
    why: 'the list and a selection of it as a file',
  },
  {
    from: 'instruments',
    to: 'views',
    files: ['list-state.ts', 'view-menu.tsx'],
    why: 'the list as it is set up, under a name',
  },
  {
    from: 'maintenance',
    to: 'connections',
    files: ['monitoring-note.tsx', 'orc-status-badge.tsx'],
    why: 'the menu of maintenance opens at the ORC status',
  },
  {
    from: 'usage',
    to: 'users',
    why: 'flags show it, or not',
  },
  {
    from: 'report',
    to: 'instruments',
    files: ['details/network-configurations.ts'],
    why: 'what instrument it is about',
  },
  {
    from: 'report',
    to: 'usage',
    files: ['runtime/runtime-axis.ts', 'usage-judgement.ts'],
    why: 'its components and its run time, judged and measured out as on their cards',
  },
  {
    from: 'report',
    to: 'users',
    why: 'who made it, and what flags show',
  },
  {
    from: 'support-emails',
    to: 'registry',
    files: ['template-key-fields.tsx'],
    why: 'the template of a mail has the key of the error that it is about',
  },
  {
    from: 'event-emails',
    to: 'users',
    why: 'receivers to choose from',
  },
  {
    from: 'profiles',
    to: 'users',
    why: 'values to choose from, and where messages reach the person',
  },
  {
    from: 'profiles',
    to: 'events',
    files: ['details/short-event-table.tsx', 'list/event-filters.ts', 'owner/use-viewer.ts'],
    why: 'filters read as those of the list, and a preview shows its events as lists do',
  },
  {
    from: 'webhooks',
    to: 'profiles',
    files: ['profile-filters.tsx'],
    why: 'filters are chosen as in the profiles',
  },
  // Not the other way: the screen hands the card of notifications to the event (routes/event-details.tsx).
  {
    from: 'notifications',
    to: 'events',
    files: ['status/severity-badge.tsx'],
    why: 'what somebody was told of, and why',
  },
  {
    from: 'notifications',
    to: 'users',
    files: ['found-users.ts'],
    why: 'who asks, and whom support may ask about',
  },
  // Not the other way: the screen hands bulk changes to the list (routes/events.tsx).
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
    why: 'the same form and rules as for one event',
  },
  {
    from: 'bulk-changes',
    to: 'users',
    why: 'owners to choose from',
  },
  {
    from: 'administration',
    to: 'registry',
    why: 'customers of a data scope to choose from, and the gateways whose keys are kept',
  },
  {
    from: 'administration',
    to: 'events',
    files: ['status/severity-badge.tsx'],
    why: 'texts of events are shown as an event shows them',
  },
  {
    from: 'backoffice',
    to: 'users',
    files: ['found-users.ts'],
    why: 'who may own an event, and who can be deleted',
  },
  {
    from: 'backoffice',
    to: 'profiles',
    files: ['notification-form.ts'],
    why: 'profiles are called as in the settings',
  },
  {
    from: 'backoffice',
    to: 'logs',
    files: ['log-labels.ts'],
    why: 'logs are called as everywhere',
  },
]
