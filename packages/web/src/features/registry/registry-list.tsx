import { limits } from '@benchwatch/contract/vocabulary'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KnownTypes, useInstrumentTypes } from '../../lib/instrument-type.ts'
import { type ListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import type { Column } from '../../ui/list/list-columns.ts'
import { ListFrame } from '../../ui/list/list-frame.tsx'
import { LinkButton } from '../../ui/overlay/blocked-button.tsx'
import { EmptyState } from '../../ui/text/notice.tsx'
import { type RegistryKind, type RegistryObject, registryListQuery } from './registry.api.ts'
import { registryFields } from './registry-fields.ts'
import { kindLabels, registryColumns } from './registry-labels.ts'

/** Objects of one kind by key. */
export function RegistryList(props: {
  kind: RegistryKind
  search: ListSearch
  onSearch: (search: ListSearch) => void
}) {
  const { kind, search } = props
  const objects = useQuery(registryListQuery(kind, search))
  const { one, many } = kindLabels[kind]
  return (
    <ListFrame
      searchLabel={`Search ${many.toLowerCase()}`}
      keywordLength={limits.keyword}
      search={search}
      onSearch={props.onSearch}
      label={many}
      columns={columnsOf(kind, search, useInstrumentTypes())}
      rowKey={({ key }) => key}
      answer={objects}
      failureTitle={`Could not get ${many.toLowerCase()}`}
      actions={
        <>
          <LinkButton
            variant="default"
            to="/administration/registry/import"
            search={{ kind }}
            leftSection={<IconUpload size={16} stroke={1.7} aria-hidden="true" />}
          >
            Import
          </LinkButton>
          <LinkButton
            to="/administration/registry/$kind/new"
            params={{ kind }}
            search={writeListSearch(search)}
            leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
          >
            New {one}
          </LinkButton>
        </>
      }
      empty={
        search.keyword === '' ? (
          <EmptyState title={`No ${many.toLowerCase()} yet`}>Add the first one or import a file.</EmptyState>
        ) : (
          <EmptyState title={`No ${many.toLowerCase()} found`}>
            No key, name or reference contains “{search.keyword}”.
          </EmptyState>
        )
      }
    />
  )
}

function columnsOf(kind: RegistryKind, search: ListSearch, types: KnownTypes): Column<RegistryObject>[] {
  return [
    {
      key: 'key',
      label: registryFields[kind].keyLabel,
      grow: 1.4,
      cell: ({ key }) => (
        <Link to="/administration/registry/$kind/key/$" params={{ kind, _splat: key }} search={writeListSearch(search)}>
          {key}
        </Link>
      ),
    },
    ...registryColumns(types)[kind],
  ]
}
