import type { SupportEmailTemplateInput } from '@benchwatch/contract/support-emails'
import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import { keepPreviousData, queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, type CallInput, call } from '../../lib/http.ts'
import { pageQuery } from '../../lib/list/list-address.ts'
import type { TemplateSearch } from './support-emails.search.ts'

/** The door to automatic support e-mails: what an instrument's contact gets, and the templates. Wire 3, 3-decisions 7. */

const root = ['support-emails'] as const

export const supportEmailKeys = {
  all: root,
  of: (instrumentIpid: string) => [...root, 'of', instrumentIpid] as const,
  templates: (search: TemplateSearch) => [...root, 'templates', search] as const,
  template: (key: string) => [...root, 'template', key] as const,
  preview: (body: TemplateToPreview | null) => [...root, 'preview', body] as const,
}

/** About which errors the contact of an instrument is mailed by itself, and which of them they unsubscribed from. */
export function supportEmailsQuery(instrument: {
  instrumentInstalledProductId: string
  instrumentType: InstrumentType
}) {
  const { instrumentInstalledProductId: instrumentIpid, instrumentType } = instrument
  return queryOptions({
    queryKey: supportEmailKeys.of(instrumentIpid),
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
    queryKey: supportEmailKeys.templates(search),
    queryFn: ({ signal }) => call('listSupportEmailTemplates', { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One template, read anew whenever it is opened: a form must not stand on what was true some time ago. */
export function templateQuery(key: string) {
  return queryOptions({
    queryKey: supportEmailKeys.template(key),
    queryFn: ({ signal }) => call('getSupportEmailTemplate', { params: { '*': key }, signal }),
    staleTime: 0,
  })
}

export type TemplateToPreview = CallInput<'previewSupportEmailTemplate'>['body']

/** The mail as it would go out with these texts; null asks for nothing. The mail before stands until the next one is there. */
export function templatePreviewQuery(body: TemplateToPreview | null) {
  return queryOptions({
    queryKey: supportEmailKeys.preview(body),
    queryFn: body === null ? skipToken : ({ signal }) => call('previewSupportEmailTemplate', { body, signal }),
    placeholderData: keepPreviousData,
    // Each pause while typing makes one, and none is looked at again.
    gcTime: 0,
  })
}

/** Makes or replaces a template. Everything about support e-mails is read again: lists show their subjects. */
export function usePutTemplate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ key, input }: { key: string; input: SupportEmailTemplateInput }) =>
      call('putSupportEmailTemplate', { params: { '*': key }, body: input }),
    onSuccess: (template, { key }) => {
      client.setQueryData(supportEmailKeys.template(key), template)
      return client.invalidateQueries({ queryKey: root })
    },
  })
}

/** Deletes a template. It is not read again: the form that shows it is left in the same moment. */
export function useDeleteTemplate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => call('deleteSupportEmailTemplate', { params: { '*': key } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: root, refetchType: 'inactive' }),
  })
}

/** Whether there is a template already: a form that creates must not replace what it never showed. */
export async function isTemplate(key: string): Promise<boolean> {
  try {
    await call('getSupportEmailTemplate', { params: { '*': key } })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}
