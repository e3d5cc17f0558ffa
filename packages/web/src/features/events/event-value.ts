import { type EventFilterCategory, eventFilterCategories } from '@benchwatch/contract/vocabulary'
import { filterValueOf } from '../../ui/list/filters/filter-value.tsx'
import type { KEYWORD } from './events.search.ts'

/** A value of an event that can be pressed to find the events that share it. */
export const EventValue = filterValueOf<EventFilterCategory | typeof KEYWORD>(eventFilterCategories)
