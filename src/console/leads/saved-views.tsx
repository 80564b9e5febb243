import controls from '#console/shell/controls.module.css'
import { ButtonForm, PostForm, SubmitButton } from '#console/shell/forms.tsx'
import { useFieldErrors, useMayDo } from '#console/shell/shell.tsx'
import type { SavedView } from '#server/leads/saved-views.ts'
import fieldStyles from '#ui/field.module.css'
import { makeFieldIds } from '#ui/field.tsx'
import { hasValidFilter, type LeadsRequest, makeLeadsUrl } from './read-filter.ts'
import styles from './saved-views.module.css'

export interface SavedViewsProps {
  views: readonly SavedView[]
  requested: LeadsRequest
  /** The operator's id: operators may remove their own views, and an admin also those that others share. */
  ownId: string
  /** The values that the operator typed, if the server refused the form. */
  typed?: { readonly name: string; readonly isShared: boolean } | undefined
}

export function SavedViews({ views, requested, ownId, typed }: SavedViewsProps) {
  const { query, searchId } = requested.address
  const mayDo = useMayDo()
  const error = useFieldErrors().name
  const ids = makeFieldIds('name', undefined, error)
  const shown = views.find((view) => view.query === query && searchId === undefined)
  return (
    <div className={styles.views}>
      {views.length > 0 && (
        <nav aria-label="Saved views">
          <ul>
            {views.map(({ id, name, query, isShared }) => (
              <li key={id}>
                <a
                  href={makeLeadsUrl({ query })}
                  aria-current={id === shown?.id ? 'true' : undefined}
                >
                  {name}
                  {isShared && <span className={styles.shared}> shared</span>}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {shown && (shown.operatorId === ownId || mayDo('remove others’ views')) && (
        <ButtonForm
          action="/leads/views/remove"
          button={`Remove view “${shown.name}”`}
          fields={{ id: shown.id }}
        />
      )}
      {shown === undefined && query !== '' && hasValidFilter(requested) && (
        <PostForm
          className={`${controls.row} ${styles.save}`}
          action="/leads/views"
          aria-label="A new view"
          fields={{ query }}
        >
          <div>
            <label className={`${controls.label} ${styles.room}`} htmlFor={ids.control}>
              View name
            </label>
            <input
              className={controls.input}
              id={ids.control}
              name="name"
              placeholder="View name"
              defaultValue={typed?.name}
              autoComplete="off"
              aria-invalid={error !== undefined || undefined}
              aria-describedby={ids.describedBy}
            />
          </div>
          {mayDo('share a view') && (
            <label className={styles.share}>
              <input
                className={fieldStyles.checkbox}
                type="checkbox"
                name="share"
                value="yes"
                defaultChecked={typed?.isShared}
              />
              <span>
                Share<span className={styles.room}> with all operators</span>
              </span>
            </label>
          )}
          <SubmitButton>Save view</SubmitButton>
          {error !== undefined && (
            <p id={ids.error} className={styles.problem}>
              {error}
            </p>
          )}
        </PostForm>
      )}
    </div>
  )
}
