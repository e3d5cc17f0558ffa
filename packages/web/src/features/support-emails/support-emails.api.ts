import type { SupportEmailTemplateInput } from '@benchwatch/contract/messages/support-emails'
import { keepPreviousData, queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, type CallInput, call, callTagged } from '../../lib/http.ts'
import { pageQuery } from '../../lib/list/list-address.ts'
import type { TemplateSearch } from './support-emails.search.ts'

/**
 * The entry point to automatic support e-mails: those of an instrument's contact, and the templates. Wire 3,
 * 3-decisions 7.
 */

const root = ['support-emails'] as const

/**
 * The errors for which the contact of an instrument gets automatic e-mails, and those the contact unsubscribed from.
 */
export function supportEmailsQuery(instrument: { instrumentInstalledProductId: string; instrumentType: string }) {
  const { instrumentInstalledProductId: instrumentIpid, instrumentType } = instrument
  return queryOptions({
    queryKey: [...root, 'of', instrumentIpid],
    queryFn: ({ signal }) => call('listSupportEmails', { query: { instrumentIpid, instrumentType }, signal }),
    staleTime: 60_000,
  })
}

/** A page of templates by instrument type and template id. */
export function templatesQuery(search: TemplateSearch) {
  const { instrumentType, underReview } = search
  const query = {
    ...pageQuery(search),
    ...(instrumentType !== null && { instrumentType }),
    ...(underReview !== null && { underReview }),
  }
  return queryOptions({
    queryKey: [...root, 'templates', search],
    queryFn: ({ signal }) => call('listSupportEmailTemplates', { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One template, read again each time it is opened: a form must start with current data. */
export function templateQuery(key: string) {
  return queryOptions({
    queryKey: [...root, 'template', key],
    queryFn: ({ signal }) => callTagged('getSupportEmailTemplate', { params: { '*': key }, signal }),
    staleTime: 0,
  })
}

export type TemplateToPreview = CallInput<'previewSupportEmailTemplate'>['body']

/** The e-mail that these texts would produce; null sends no request. The previous one stays until the next arrives. */
export function templatePreviewQuery(body: TemplateToPreview | null) {
  return queryOptions({
    queryKey: [...root, 'preview', body],
    queryFn: body === null ? skipToken : ({ signal }) => call('previewSupportEmailTemplate', { body, signal }),
    placeholderData: keepPreviousData,
    // Each pause while typing makes a query that is never used again.
    gcTime: 0,
  })
}

/** Creates or replaces a template and invalidates all queries about support e-mails, because lists show subjects. */
export function usePutTemplate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ key, input, etag }: { key: string; input: SupportEmailTemplateInput; etag?: string | undefined }) =>
      call('putSupportEmailTemplate', { params: { '*': key }, body: input, ifMatch: etag }),
    onSuccess: (template, { key }) => {
      client.setQueryData(templateQuery(key).queryKey, template)
      return client.invalidateQueries({ queryKey: root })
    },
  })
}

/** Deletes a template. It is not read again: its form closes at the same moment. */
export function useDeleteTemplate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => call('deleteSupportEmailTemplate', { params: { '*': key } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: root, refetchType: 'inactive' }),
  })
}

/** Returns true if the template exists: a form for a new template must not replace an existing one. */
export async function isTemplate(key: string): Promise<boolean> {
  try {
    await call('getSupportEmailTemplate', { params: { '*': key } })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}
