import type { SupportEmailTemplate } from '@benchwatch/contract/messages/support-emails'
import { COMPONENT_MODULE } from '@benchwatch/contract/patterns'
import { limits } from '@benchwatch/contract/vocabulary'
import { Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KnownTypes, typeLabel, useInstrumentTypes } from '../../lib/instrument-type.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { NativeSelect } from '../../ui/form/native-select.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { ListFrame } from '../../ui/list/list-frame.tsx'
import { LinkButton } from '../../ui/overlay/blocked-button.tsx'
import { EmptyState } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { templatesQuery } from './support-emails.api.ts'
import { isNarrowed, readTemplateSearch, type TemplateSearch, writeTemplateSearch } from './support-emails.search.ts'

/** Templates by instrument type and error. The list shows `search`, which the address contains. */
export function TemplateList(props: { search: TemplateSearch; onSearch: (search: TemplateSearch) => void }) {
  const { search, onSearch } = props
  const templates = useQuery(templatesQuery(search))
  return (
    <ListFrame
      searchLabel="Search templates"
      keywordLength={limits.keyword}
      search={search}
      onSearch={(next) => onSearch({ ...search, ...next })}
      label="Templates"
      columns={columnsFor(search, useInstrumentTypes())}
      rowKey={({ key }) => key}
      answer={templates}
      failureTitle="Could not get templates"
      filters={<Filters search={search} onSearch={onSearch} />}
      actions={
        <LinkButton
          to="/administration/support-emails/new"
          search={writeTemplateSearch(search)}
          leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
        >
          New template
        </LinkButton>
      }
      empty={
        isNarrowed(search) ? (
          <EmptyState
            title="No templates found"
            action={{
              label: 'Show all templates',
              onClick: () => onSearch({ ...readTemplateSearch({}), pageSize: search.pageSize }),
            }}
          >
            No template matches your search.
          </EmptyState>
        ) : (
          <EmptyState title="No templates yet">
            No e-mail is sent about an error without a template. Create the first one.
          </EmptyState>
        )
      }
    />
  )
}

function Filters({ search, onSearch }: { search: TemplateSearch; onSearch: (search: TemplateSearch) => void }) {
  const types = useInstrumentTypes()
  // An address may name a type that the registry lacks.
  const isGone = search.instrumentType !== null && !types?.types.some(({ key }) => key === search.instrumentType)
  return (
    <Group gap={8} wrap="nowrap" flex={{ base: '1 1 100%', md: 'none' }}>
      <NativeSelect
        aria-label="Instrument type"
        value={search.instrumentType ?? ''}
        onChange={({ currentTarget: { value } }) => onSearch({ ...search, instrumentType: value || null, page: 1 })}
      >
        <option value="">All instrument types</option>
        {isGone && <option>{search.instrumentType}</option>}
        {types?.types.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label="Review"
        value={search.underReview ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onSearch({ ...search, underReview: value === 'true' || value === 'false' ? value : null, page: 1 })
        }
      >
        <option value="">All states</option>
        <option value="false">In use</option>
        <option value="true">Under review</option>
      </NativeSelect>
    </Group>
  )
}

const columnsFor = (search: TemplateSearch, types: KnownTypes): Column<SupportEmailTemplate>[] => [
  {
    key: 'error',
    label: 'Error',
    grow: 1.1,
    cell: ({ instrumentType, templateId }) => (
      <>
        <Link
          to="/administration/support-emails/$type/$templateId"
          params={{ type: instrumentType, templateId }}
          search={writeTemplateSearch(search)}
        >
          {templateId}
        </Link>
        <Text size="xs" c="dimmed">
          {typeLabel(types, instrumentType)}
        </Text>
      </>
    ),
  },
  {
    key: 'component',
    label: 'Component',
    grow: 1.2,
    cell: ({ componentName }) => <Component name={componentName} />,
  },
  { key: 'subject', label: 'Subject', grow: 2.3, cell: ({ subject }) => <span dir="auto">{subject}</span> },
  {
    key: 'closes',
    label: 'Closes event',
    width: 92,
    cell: ({ closesEvent }) => (closesEvent ? 'Yes' : 'No'),
  },
  {
    key: 'review',
    label: 'State',
    width: 116,
    cell: ({ underReview }) =>
      underReview ? <StatusMark tone="waiting">Under review</StatusMark> : <StatusMark tone="good">In use</StatusMark>,
  },
  {
    key: 'updated',
    label: 'Updated',
    grow: 1.1,
    cell: ({ updatedAt, updatedBy }) =>
      updatedAt === null ? (
        '–'
      ) : (
        <>
          {formatEventTime(updatedAt)}
          {updatedBy !== null && (
            <Text size="xs" c="dimmed">
              {updatedBy}
            </Text>
          )}
        </>
      ),
  },
]

/** Shows 'Pump B (P9-B)' with the module in parentheses on one line. */
function Component({ name }: { name: string }) {
  const module = COMPONENT_MODULE.exec(name)
  if (module === null) return <bdi>{name}</bdi>
  return (
    <bdi>
      {name.slice(0, module.index)}
      <span style={{ whiteSpace: 'nowrap' }}>{module[0]}</span>
    </bdi>
  )
}
