import { ALL_FAMILIES, type InstrumentFilterCategory } from '@benchwatch/contract/vocabulary'
import { Box, Button, Flex, Text } from '@mantine/core'
import { IconCalendarCog, IconTool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { familyLabel, useInstrumentTypes } from '../../../lib/instrument-type.ts'
import { ColumnChooser } from '../../../ui/list/column-chooser.tsx'
import { CounterTiles } from '../../../ui/list/counter-tiles.tsx'
import type { FilterPanelProps } from '../../../ui/list/filters/chosen-count.tsx'
import { FilterPanel, ListHeader } from '../../../ui/list/list-header.tsx'
import { LinkButton } from '../../../ui/overlay/blocked-button.tsx'
import { DateRangePicker } from '../../../ui/time/date-range.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { useFlags } from '../../usage/usage.api.ts'
import { filtersQuery } from '../../users/users.api.ts'
import type { KeptRange, ViewedList } from '../../views/list-state.ts'
import { ViewMenu } from '../../views/view-menu.tsx'
import { instrumentCountsQuery } from '../instruments.api.ts'
import {
  chooseValues,
  defaultInstrumentSearch,
  type InstrumentSearch,
  instrumentFilters,
} from '../instruments.search.ts'
import { instrumentColumns } from './instrument-list.columns.tsx'
import styles from './instrument-list.module.css'
import {
  appliedFilters,
  exportOf,
  instrumentViews,
  narrowing,
  offeredCategories,
  presetMeanings,
  searchOfView,
  viewOfSearch,
} from './instrument-view.ts'
import { daysOf, serviceDays, serviceLabel, serviceRanges, usualServiceRange } from './list-next-service.ts'

/** Title, search, filters, next service range and list actions, all above the family tabs. */
export function InstrumentListHeader(props: {
  search: InstrumentSearch
  /** Undefined until known. */
  total: number | undefined
  now: number
  onSearch: (search: InstrumentSearch) => void
}) {
  const { search, total, now, onSearch } = props
  const types = useInstrumentTypes()
  const views = instrumentViews({ hasUsage: useFlags('ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS'), types })
  const change = (part: Partial<InstrumentSearch>) => onSearch({ ...search, page: 1, ...part })
  return (
    <ListHeader
      title="Instrument Summary"
      aside={<PresetTiles views={views} search={search} now={now} onSearch={onSearch} />}
      searchLabel="Search instruments"
      keyword={search.keyword}
      onKeyword={(keyword) => change({ keyword })}
      filters={{
        vocabulary: instrumentFilters,
        chosen: search.filter,
        onChange: (filter) => change({ filter }),
        panel: (panel) => <InstrumentFilterPanel {...panel} />,
      }}
      chips={appliedFilters(search, types)}
      onRemoveChip={(key) =>
        key === 'nextService' ? change({ start: null, stop: null }) : onSearch(chooseValues(search, key, []))
      }
      onClearChips={() => change({ filter: {}, start: null, stop: null })}
      tools={
        <>
          <ServiceRange range={search} now={now} onChange={change} />
          <ViewMenu
            list={views}
            state={viewOfSearch(search, now)}
            onApply={(state) => onSearch(searchOfView(state, search, now))}
          />
        </>
      }
      actions={
        <>
          <LinkButton
            variant="default"
            to="/maintenance"
            px={{ base: 13, lg: 18 }}
            aria-label="Planned maintenance"
            title="Planned maintenance of all instruments"
          >
            <IconTool size={16} stroke={1.7} aria-hidden="true" />
            <Box component="span" visibleFrom="lg" ml={8}>
              Maintenance
            </Box>
          </LinkButton>
          <ColumnChooser
            model={instrumentColumns}
            columns={search.columns}
            onChange={(columns) => onSearch({ ...search, columns })}
          />
        </>
      }
      exporting={
        <ExportButton request={exportOf(search, { ids: [], mode: 'exclude' })} count={total ?? 0} isIconOnPhone />
      }
      subtitle={
        total !== undefined && (
          <Text c="dimmed">
            <Text component="strong" fw={600} c="var(--bw-ink-1)">
              {total.toLocaleString('en')}
            </Text>{' '}
            {total === 1 ? 'instrument' : 'instruments'}
          </Text>
        )
      }
      narrowedBy={[
        ...(search.instrumentFamily === ALL_FAMILIES ? [] : [familyLabel(types, search.instrumentFamily)]),
        ...(search.keyword === '' ? [] : [`“${search.keyword}”`]),
      ]}
    />
  )
}

/** The number of instruments of each preset. Pressing a tile shows them, pressing it again shows all. */
function PresetTiles(props: {
  views: ViewedList
  search: InstrumentSearch
  now: number
  onSearch: (search: InstrumentSearch) => void
}) {
  const { search, now, onSearch } = props
  const { columns } = search
  const unlimited: InstrumentSearch = { ...defaultInstrumentSearch, columns, pageSize: search.pageSize }
  const presets = props.views.presets.map(({ id, name, state }) => {
    const found = { ...searchOfView(state, unlimited, now), columns, pageSize: search.pageSize }
    return { id, name, found, narrowed: narrowing(found) }
  })
  const searches = presets.map(({ narrowed: { query, body } }) => ({
    filter: body.filter,
    ...(query.start !== undefined && { start: query.start }),
    ...(query.stop !== undefined && { stop: query.stop }),
  }))
  const counts = useQuery(instrumentCountsQuery(searches)).data
  const shown = JSON.stringify(narrowing(search))
  return (
    <CounterTiles
      legend="Instruments that need attention"
      tiles={presets.map(({ id, name, found, narrowed }, place) => {
        const isPressed = JSON.stringify(narrowed) === shown
        return {
          label: name,
          meaning: presetMeanings[id] ?? '',
          count: counts?.[place],
          isPressed,
          onPress: () => onSearch(isPressed ? unlimited : found),
        }
      })}
    />
  )
}

/** Every category with the values in the user's data scope. */
function InstrumentFilterPanel(props: FilterPanelProps<InstrumentFilterCategory>) {
  const values = useQuery(filtersQuery())
  const filterData = values.data?.instrumentSummaryFilter
  const types = useInstrumentTypes()
  return (
    <FilterPanel
      {...props}
      values={values}
      offer={(chosenBefore) => offeredCategories({ filterData, chosen: props.chosen, chosenBefore, types })}
    />
  )
}

/** The toggle of the next service range. When on, the range appears beside it. `now` in milliseconds. */
export function ServiceRange(props: { range: KeptRange; now: number; onChange: (range: KeptRange) => void }) {
  const { now, onChange } = props
  const days = serviceDays(props.range)
  const isOn = days !== null
  return (
    <Flex gap={6} miw={0} className={styles.range} data-on={isOn || undefined}>
      <Button
        variant={isOn ? 'light' : 'default'}
        bd={isOn ? '1px solid var(--bw-accent)' : undefined}
        className={styles.toggle}
        aria-pressed={isOn}
        aria-label="Next service date filter"
        title={isOn ? 'Turn off the next service filter' : 'Filter by next service date'}
        leftSection={<IconCalendarCog size={16} stroke={1.7} aria-hidden="true" />}
        onClick={() => onChange(isOn ? { start: null, stop: null } : usualServiceRange(now))}
      >
        Next service
      </Button>
      {days !== null && (
        <DateRangePicker
          name="Next service"
          start={days.start.toISOString()}
          stop={days.stop.toISOString()}
          text={serviceLabel(props.range)}
          kind={serviceRanges}
          onChange={({ start, stop }) => onChange(daysOf({ start: new Date(start), stop: new Date(stop) }))}
        />
      )}
    </Flex>
  )
}
