import type { FeatureKey } from '@benchwatch/contract/vocabulary'

/** What each feature flag does, in the words of 3-decisions 5. */
export interface FeatureWords {
  title: string
  effect: string
  /** What follows that can't be taken back, for the question before the flag is switched on; absent where nothing does. */
  warning?: string
}

export const featureWords: Record<FeatureKey, FeatureWords> = {
  ALLOW_ASSET_DELETE: {
    title: 'Delete instruments',
    effect: 'Support and administrators may delete instruments.',
    warning: 'Deleted instruments can’t be brought back.',
  },
  ALLOW_EVENT_DELETE: {
    title: 'Delete events',
    effect: 'Support and administrators may delete service events.',
    warning: 'Deleted events can’t be brought back.',
  },
  ALLOW_LOG_DELETE: {
    title: 'Delete log lines',
    effect: 'Support and administrators may delete lines of instrument logs.',
    warning: 'Deleted log lines can’t be brought back.',
  },
  ALLOW_PROFILE_DELETE: {
    title: 'Delete profiles',
    effect: 'Support and administrators may delete notification profiles.',
    warning: 'Deleted profiles can’t be brought back.',
  },
  ALLOW_USER_DELETE: {
    title: 'Delete users',
    effect: 'Support and administrators may delete users.',
    warning: 'Deleted users can’t be brought back. Disabling a user is enough to keep them out.',
  },
  ASSET_USAGE: {
    title: 'Component usage',
    effect: 'Usage of components is collected and, with instrument components, shown.',
  },
  AUTO_EMAIL: {
    title: 'Automatic support e-mails',
    effect: 'Support e-mails are sent to contacts by themselves, and shown on events and instruments.',
    warning: 'E-mails go out to contacts of customers from now on.',
  },
  BACKOFFICE: { title: 'Back office', effect: 'Opens the back-office tools to service, support and administrators.' },
  CREATE_EVENTS_WITH_CONTRACT_ONLY: {
    title: 'Events under a contract only',
    effect: 'Events are made only under a running contract. What is held back is kept, counted and listed.',
  },
  EDGE_ISSUE_EVENT_CREATION: { title: 'Edge issue events', effect: 'A gateway that falls silent makes an event.' },
  INSTRUMENT_OFFLINE_EVENT_CREATION: {
    title: 'Instrument offline events',
    effect: 'An instrument that falls silent makes an event.',
  },
  INSTRUMENT_STATUS_TEMPLATE: {
    title: 'Template for silence',
    effect:
      'Events of silent gateways and instruments have the texts of ‘Connection events’; otherwise the built-in ones.',
  },
  NOTIFY_UNDER_REVIEW: {
    title: 'Notify under review',
    effect: 'Events whose template is under review notify, too.',
  },
  WEEKLY_ALARM_INJECTION: {
    title: 'Weekly test event',
    effect: 'Once a week a marked test event runs through the whole chain, and its arrival is checked.',
  },
  FETCH_INSTRUMENT_DAILY_RUNTIMES: { title: 'Daily run times', effect: 'Instruments show their run time day by day.' },
  FETCH_INSTRUMENT_COMPONENTS: { title: 'Instrument components', effect: 'Instruments show their components.' },
}
