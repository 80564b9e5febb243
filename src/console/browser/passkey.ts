/**
 * When the operator submits a passkey form, asks the browser for a passkey and posts the passkey's response. Since
 * 2025, browsers parse WebAuthn's JSON themselves (https://caniuse.com/mdn-api_publickeycredential_tojson_static).
 */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    showMessage(form, '')
    createPasskeyResponse(form).then(
      (response) => {
        const field = form.elements.namedItem('answer') as HTMLInputElement
        field.value = JSON.stringify(response)
        // `requestSubmit` would call this submit handler again.
        form.submit()
      },
      (error: unknown) => showMessage(form, describePasskeyError(error)),
    )
  })
}

async function createPasskeyResponse(form: HTMLFormElement): Promise<unknown> {
  if (!('PublicKeyCredential' in window) || !PublicKeyCredential.parseCreationOptionsFromJSON) {
    throw new PasskeyError(
      'This browser doesn’t support passkeys. Update the browser, or sign in another way.',
    )
  }
  if (/^[\d.]+$|:/.test(location.hostname)) {
    throw new PasskeyError(
      'Passkeys need a host name in the console’s URL, such as https://console.example.edu or http://localhost:3001. Ask the server’s admin to change the setting CONSOLE_ORIGIN.',
    )
  }
  const reply = await fetch(`${form.getAttribute('action')}/options`, {
    method: 'POST',
    body: new URLSearchParams(new FormData(form) as unknown as Record<string, string>),
  })
  // The server redirects if the operator has to confirm their identity first.
  if (reply.redirected) location.assign(reply.url)
  if (!reply.ok || reply.redirected)
    throw new PasskeyError(
      'The console refused the request. Reload the page and try again. If reloading doesn’t help, ask the server’s admin for the console’s URL (the setting CONSOLE_ORIGIN).',
    )
  const options = await reply.json()
  const credential =
    form.dataset.passkey === 'create'
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
        })
  return (credential as PublicKeyCredential).toJSON()
}

class PasskeyError extends Error {}

function describePasskeyError(error: unknown): string {
  if (error instanceof PasskeyError) return error.message
  // https://www.w3.org/TR/webauthn-3/#sctn-createCredential
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') return 'Your account already has a passkey on this device.'
  return 'The browser returned no passkey. Try again, or sign in another way.'
}

function showMessage(form: HTMLFormElement, text: string): void {
  const place = form.querySelector('[data-passkey-message]')
  if (place) place.textContent = text
}
