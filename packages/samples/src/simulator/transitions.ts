import type { InstrumentStatus, InstrumentType } from '@benchwatch/contract/vocabulary'
import { type Traits, traitsByType } from '../equipment/traits.ts'

type Transitions = Partial<Record<InstrumentStatus, readonly InstrumentStatus[]>>

/** What an instrument may do next, by what leads it. From every status it may also be switched off and on. */
const tables: Record<Traits['led'], Transitions> = {
  UNICORN: {
    'initializing system': ['ready'],
    ready: ['starting method run', 'starting manual run', 'wash', 'disconnected', 'alarms and errors'],
    'starting method run': ['method run', 'system pause', 'alarms and errors', 'hold'],
    'starting manual run': ['manual run'],
    'method run': ['hold', 'manual pause', 'pause hold', 'system pause', 'alarms and errors', 'wash', 'ready'],
    'manual run': ['ready', 'wash'],
    hold: ['method run', 'hold pause', 'starting method run', 'wash'],
    'hold pause': ['method run'],
    'manual pause': ['method run'],
    'pause hold': ['method run'],
    'system pause': ['method run', 'starting method run', 'wash', 'resetting'],
    'alarms and errors': ['resetting'],
    resetting: ['ready'],
    wash: ['ready', 'system pause', 'alarms and errors', 'hold'],
    disconnected: ['initializing'],
    initializing: ['ready'],
  },
  culture: {
    'initializing system': ['ready'],
    ready: ['running', 'disconnected', 'alarms and errors'],
    running: ['paused', 'alarms and errors', 'ready'],
    paused: ['running'],
    'alarms and errors': ['resetting'],
    resetting: ['running', 'ready'],
    disconnected: ['initializing'],
    initializing: ['ready'],
  },
  recipe: {
    'initializing system': ['ready'],
    ready: ['running', 'disconnected'],
    running: ['paused', 'hold', 'alarms and errors', 'ready'],
    paused: ['running'],
    hold: ['running'],
    'alarms and errors': ['resetting'],
    resetting: ['running', 'ready'],
    disconnected: ['initializing'],
    initializing: ['ready'],
  },
}

/** May an instrument of this type go from one status to the other by itself or by its operator? */
export function mayFollow(type: InstrumentType, from: InstrumentStatus, to: InstrumentStatus): boolean {
  if (to === 'initializing system') return true
  return transitionsOf(type)[from]?.includes(to) ?? false
}

export function transitionsOf(type: InstrumentType): Transitions {
  return tables[traitsByType[type].led]
}
