import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { readTemplateSearch, writeTemplateSearch } from '../../features/support-emails/support-emails.search.ts'
import { NewTemplate, TemplateEditor } from '../../features/support-emails/template-editor.tsx'
import { TemplateList } from '../../features/support-emails/template-list.tsx'
import { Breadcrumb, PageHeader } from '../../ui/layout/page-frame.tsx'

/** /administration/support-emails: templates of the automatic e-mails to contacts. */
export function SupportEmailsScreen() {
  const search = readTemplateSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title="Support e-mails"
        note="Templates of the automatic e-mails to instrument contacts, one per error."
      />
      <TemplateList
        search={search}
        onSearch={(next) => void navigate({ to: '/administration/support-emails', search: writeTemplateSearch(next) })}
      />
    </>
  )
}

/** /administration/support-emails/new */
export function NewSupportEmailScreen() {
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <>
      <PageHeader crumbs={<TemplateCrumbs at="New" />} title="New template" />
      <NewTemplate
        onDone={({ instrumentType, templateId }) =>
          void navigate({
            to: '/administration/support-emails/$type/$templateId',
            params: { type: instrumentType, templateId },
            search,
            ignoreBlocker: true,
          })
        }
        onCancel={() => void navigate({ to: '/administration/support-emails', search })}
      />
    </>
  )
}

/** /administration/support-emails/{instrumentType}/{templateId} */
export function SupportEmailScreen() {
  const { type = '', templateId = '' } = useParams({ strict: false })
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <TemplateEditor
      templateKey={`${type}/${templateId}`}
      crumbs={<TemplateCrumbs at="Template" />}
      onDeleted={() => void navigate({ to: '/administration/support-emails', search, ignoreBlocker: true })}
    />
  )
}

/** Links back to the list as it was left; its address is kept next to the opened template. */
function TemplateCrumbs({ at }: { at: string }) {
  const search: Record<string, string> = useSearch({ strict: false })
  return (
    <Breadcrumb
      link={
        <Link to="/administration/support-emails" search={search} activeOptions={{ exact: true }}>
          Support e-mails
        </Link>
      }
      current={at}
    />
  )
}
