import { registryKinds } from '@benchwatch/contract/vocabulary'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NewRegistryObject } from '../../features/registry/new-registry-object.tsx'
import type { RegistryKind } from '../../features/registry/registry.api.ts'
import { RegistryImport } from '../../features/registry/registry-import.tsx'
import { kindLabels, readKind } from '../../features/registry/registry-labels.ts'
import { RegistryList } from '../../features/registry/registry-list.tsx'
import { RegistryObjectForm } from '../../features/registry/registry-object-form.tsx'
import { readListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import { Breadcrumb, PageHeader } from '../../ui/layout/page-frame.tsx'
import styles from './administration.module.css'

/** /administration/registry/{kind} */
export function RegistryScreen() {
  const kind = useKind()
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="Registry" note={kindLabels[kind].explains} />
      <nav className={styles.kinds} aria-label="Kinds">
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
      </nav>
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

/** /administration/registry/{kind}/new */
export function NewRegistryObjectScreen() {
  const kind = useKind()
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <>
      <PageHeader crumbs={<RegistryCrumbs kind={kind} at="New" />} title={`New ${kindLabels[kind].one}`} />
      <div className={styles.narrow}>
        <NewRegistryObject
          key={kind}
          kind={kind}
          onDone={(key) =>
            void navigate({
              to: '/administration/registry/$kind/key/$',
              params: { kind, _splat: key },
              search,
              ignoreBlocker: true,
            })
          }
          onCancel={() => void navigate({ to: '/administration/registry/$kind', params: { kind }, search })}
        />
      </div>
    </>
  )
}

/** /administration/registry/{kind}/key/{key}: the key of a template contains a slash. */
export function RegistryObjectScreen() {
  const kind = useKind()
  const { _splat: key = '' } = useParams({ strict: false })
  return (
    <>
      <PageHeader crumbs={<RegistryCrumbs kind={kind} at={capitalised(kindLabels[kind].one)} />} title={key} />
      <div className={styles.narrow}>
        <RegistryObjectForm kind={kind} objectKey={key} />
      </div>
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
      <div className={styles.narrow}>
        <RegistryImport
          kind={kind}
          onKind={(next) =>
            void navigate({ to: '/administration/registry/import', search: { kind: next }, replace: true })
          }
        />
      </div>
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
