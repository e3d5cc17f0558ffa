import { registryKinds } from '@benchwatch/contract/vocabulary'
import { Box } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { RegistryKind } from '../../features/registry/registry.api.ts'
import { RegistryImport } from '../../features/registry/registry-import.tsx'
import { kindLabels, readKind } from '../../features/registry/registry-labels.ts'
import { RegistryList } from '../../features/registry/registry-list.tsx'
import {
  DeleteRegistryObject,
  NewRegistryObject,
  RegistryObjectForm,
} from '../../features/registry/registry-object-form.tsx'
import { readListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import { Breadcrumb, PageHeader, PillLinks } from '../../ui/layout/page-frame.tsx'

/** /administration/registry/{kind} */
export function RegistryScreen() {
  const kind = useKind()
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="Registry" note={kindLabels[kind].explains} />
      <PillLinks label="Kinds">
        {registryKinds.map((each) => (
          <Link
            key={each}
            to="/administration/registry/$kind"
            params={{ kind: each }}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ includeSearch: false }}
          >
            {kindLabels[each].many}
          </Link>
        ))}
      </PillLinks>
      <RegistryList
        key={kind}
        kind={kind}
        search={search}
        onSearch={(next) =>
          void navigate({ to: '/administration/registry/$kind', params: { kind }, search: writeListSearch(next) })
        }
      />
    </>
  )
}

/**
 * /administration/registry/{kind}/new?from=: parameters with names of fields fill these in. An object that was begun on
 * the page of a gateway, which `from` names, leads back there.
 */
export function NewRegistryObjectScreen() {
  const kind = useKind()
  const given: Record<string, string> = useSearch({ strict: false })
  const { from, ...known } = given
  const search = writeListSearch(readListSearch(given))
  const navigate = useNavigate()
  return (
    <>
      <PageHeader crumbs={<RegistryCrumbs kind={kind} at="New" />} title={`New ${kindLabels[kind].one}`} />
      <Box maw={980}>
        <NewRegistryObject
          key={kind}
          kind={kind}
          known={known}
          onDone={(key) =>
            void (from === undefined
              ? navigate({
                  to: '/administration/registry/$kind/key/$',
                  params: { kind, _splat: key },
                  search,
                  ignoreBlocker: true,
                })
              : navigate({ to: '/administration/gateways/$gateway', params: { gateway: from }, ignoreBlocker: true }))
          }
          onCancel={() =>
            void (from === undefined
              ? navigate({ to: '/administration/registry/$kind', params: { kind }, search })
              : navigate({ to: '/administration/gateways/$gateway', params: { gateway: from } }))
          }
        />
      </Box>
    </>
  )
}

/** /administration/registry/{kind}/key/{key}: the key of a template contains a slash. */
export function RegistryObjectScreen() {
  const kind = useKind()
  const { _splat: key = '' } = useParams({ strict: false })
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <>
      <PageHeader crumbs={<RegistryCrumbs kind={kind} at={capitalised(kindLabels[kind].one)} />} title={key}>
        <DeleteRegistryObject
          kind={kind}
          objectKey={key}
          onDeleted={() =>
            void navigate({ to: '/administration/registry/$kind', params: { kind }, search, ignoreBlocker: true })
          }
        />
      </PageHeader>
      <Box maw={980}>
        <RegistryObjectForm kind={kind} objectKey={key} />
      </Box>
    </>
  )
}

/** /administration/registry/import?kind= */
export function RegistryImportScreen() {
  const { kind: named }: { kind?: string } = useSearch({ strict: false })
  const kind = readKind(named)
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        crumbs={<RegistryCrumbs kind={kind} at="Import" />}
        title="Import"
        note="Adds new records and replaces existing ones with the same key. If a line is invalid, nothing is imported."
      />
      <Box maw={980}>
        <RegistryImport
          kind={kind}
          onKind={(next) =>
            void navigate({ to: '/administration/registry/import', search: { kind: next }, replace: true })
          }
        />
      </Box>
    </>
  )
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The router rejects unknown kinds. */
function useKind(): RegistryKind {
  const { kind } = useParams({ strict: false })
  return readKind(kind)
}

function RegistryCrumbs({ kind, at }: { kind: RegistryKind; at: string }) {
  const { kind: _kind, ...search }: Record<string, string> = useSearch({ strict: false })
  return (
    <Breadcrumb
      link={
        <Link to="/administration/registry/$kind" params={{ kind }} search={search} activeOptions={{ exact: true }}>
          {kindLabels[kind].many}
        </Link>
      }
      current={at}
    />
  )
}
