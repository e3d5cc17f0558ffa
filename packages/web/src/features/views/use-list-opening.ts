import type { ViewState } from '@benchwatch/contract/events/views'
import type { ViewArea } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { AddressParameters } from '../../lib/list/list-address.ts'
import {
  type AddressedList,
  hasLostRange,
  isMisleading,
  rememberedSearch,
  rememberListAddress,
  wasListLeftAsUsual,
} from '../../lib/list/list-memory.ts'
import { showNotice } from '../../ui/overlay/toasts.ts'
import { rememberAppliedView } from './applied-view.ts'
import { defaultViewOf, mayHaveDefaultView, viewsQuery } from './views.api.ts'

type Setup = { temporaryFilters: boolean; columns: readonly string[] | null }

/** A list with views; must be a stable object. */
export interface OpenedList<S extends Setup> extends AddressedList<S> {
  area: ViewArea
  /** Returns the first page of a view; properties that views do not store stay as they are. `now` in milliseconds. */
  searchOfView: (state: ViewState, from: S, now: number) => S
}

/** Milliseconds. A list that waits longer for its default view is less useful than one without it. */
const TIMEOUT_MS = 2000

/**
 * Decides what a list opens with if its address leaves that open. An empty address takes the default view; without
 * one, and in any address without filters or columns, the settings remembered by this browser apply. This happens once
 * when the screen opens; afterwards only the address counts, so the back button works as expected.
 *
 * An address that differs from what is shown, such as `page=abc`, is replaced.
 *
 * `show` writes the address. Until it is written, `search` already has the new value. While `isWaiting`, the default
 * view is unknown and no list may be requested; a failure or a timeout ends that. Call `decide` once the user has made
 * a choice.
 */
export function useListOpening<S extends Setup>(
  list: OpenedList<S>,
  parameters: AddressParameters,
  show: (search: S) => Promise<unknown>,
): { search: S; isWaiting: boolean; decide: () => void } {
  const [opening, setOpening] = useState(() => openingOf(list, parameters))
  const wantsDefault = opening === 'default view'
  const { data: views, isError } = useQuery({ ...viewsQuery(), enabled: wantsDefault })
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!wantsDefault) return
    const timer = setTimeout(() => setLate(true), TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [wantsDefault])

  const view = wantsDefault && views !== undefined ? defaultViewOf(views, list.area) : undefined
  const isWaiting = wantsDefault && views === undefined && !isError && !isLate
  const read = list.read(parameters)
  const remembered = isWaiting || isDone(opening) ? null : rememberedSearch(list, parameters)
  const next = view === undefined ? remembered : list.searchOfView(view.state, read, Date.now())
  const address = JSON.stringify(list.write(next ?? read))

  const write = useEffectEvent(() => {
    if (view !== undefined) rememberAppliedView(list.area, view.id)
    // Some addresses need no change; the others are written once.
    if (next === null) setOpening(views === undefined ? 'without the default view' : null)
    else void show(next).then(() => setOpening(null))
  })
  const isOpen = isDone(opening)
  useEffect(() => {
    if (!isOpen && !isWaiting) write()
  }, [isOpen, isWaiting])

  const correct = useEffectEvent(() => {
    if (hasLostRange(list, parameters))
      showNotice({
        title: 'The date range in the address can’t be used',
        message: `It ends before it starts, lies in the future or can’t be read. ${list.withoutRange}`,
      })
    // Otherwise the opening writes it.
    if (next === null) void show(read)
  })
  const misleading = isMisleading(list, parameters) ? JSON.stringify(parameters) : null
  useEffect(() => {
    if (misleading !== null) correct()
  }, [misleading])

  const isMakeshift = wantsDefault || opening === 'without the default view'
  useEffect(() => {
    // The unfiltered list is not remembered if it only replaces a default view that could not be read.
    if (isWaiting || (isMakeshift && address === '{}')) return
    rememberListAddress(list, JSON.parse(address) as Record<string, string>)
  }, [list, address, isWaiting, isMakeshift])

  return { search: next ?? read, isWaiting, decide: () => setOpening(null) }
}

/** The source that still decides what the list opens with; null once the address decides. */
type Opening = 'default view' | 'without the default view' | 'remembered' | null

function isDone(opening: Opening): boolean {
  return opening === null || opening === 'without the default view'
}

function openingOf<S extends Setup>(list: OpenedList<S>, parameters: AddressParameters): Opening {
  const saysNothing = Object.keys(list.write(list.read(parameters))).length === 0
  if (saysNothing && !wasListLeftAsUsual(list) && mayHaveDefaultView(list.area)) return 'default view'
  return rememberedSearch(list, parameters) === null ? null : 'remembered'
}
