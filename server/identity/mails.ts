import { CODE } from '#contract/constants.ts'
import { mail } from '../mail/template.ts'
import type { Mail } from '../mail/mailer.ts'

export const RESET_HOURS = 1

export function codeMail(to: string, firstName: string, code: string): Mail {
  return mail(to, `${code} is your Rookery code`, [
    greeting(firstName),
    'Enter this code to confirm your email address:',
    { code },
    `It is valid for ${CODE.minutes} minutes. If you did not ask for it, ignore this mail: nothing happens without the code.`,
  ])
}

export function resetMail(to: string, firstName: string, link: string): Mail {
  return mail(to, 'Set a new password for Rookery', [
    greeting(firstName),
    'Somebody, hopefully you, asked to set a new password. This link does it, once, within the hour:',
    { link, label: 'Set a new password' },
    'If it was not you, ignore this mail: your password stays as it is.',
  ])
}

/** After a confirmation by somebody of whom nobody knows whether the account's password is theirs. */
export function firstPasswordMail(to: string, firstName: string, link: string): Mail {
  return mail(to, 'Set your password for Rookery', [
    greeting(firstName),
    'Your email address is confirmed. It was confirmed from another browser than the one that signed up, so that we cannot know who chose the password. Please choose it anew. This link does it, once, within the hour:',
    { link, label: 'Set your password' },
    `Later on, ask for a new link under "Forgot password?" on the login page.`,
  ])
}

/** A passkey needs no password: whoever changes theirs because somebody else was in has to hear that it still opens the account. */
export function passwordChangedMail(to: string, firstName: string, passkeys: number, publicUrl: string): Mail {
  return mail(to, 'Your Rookery password was changed', [
    greeting(firstName),
    'The password of your account was changed, and its other sessions were ended.',
    ...(passkeys === 0
      ? []
      : [
          `${passkeys === 1 ? 'One passkey still opens it' : `${passkeys} passkeys still open it`} without the password. Remove what is not yours in the security of your profile.`,
        ]),
    'If it was not you, set a new one now:',
    { link: `${publicUrl}/login`, label: 'Go to login' },
  ])
}

/** To the new address: the code that moves the account there. */
export function newAddressMail(to: string, firstName: string, code: string): Mail {
  return mail(to, `${code} is your Rookery code`, [
    greeting(firstName),
    'Enter this code in your profile to make this the address of your account:',
    { code },
    `It is valid for ${CODE.minutes} minutes. If you did not ask for it, ignore this mail: nothing happens without the code.`,
  ])
}

/** To whoever owns an address that somebody else asked for. */
export function addressTakenMail(to: string, firstName: string, publicUrl: string): Mail {
  return mail(to, 'This address already has a Rookery account', [
    greeting(firstName),
    'Somebody asked to use this address for another Rookery account. It belongs to yours, so nothing was changed.',
    'If it was you, log in with this address:',
    { link: `${publicUrl}/login`, label: 'Go to login' },
  ])
}

/** To the address so far, before anything changes. */
export function addressWillChangeMail(to: string, firstName: string, newAddress: string, publicUrl: string): Mail {
  return mail(to, 'A new address for your Rookery account', [
    greeting(firstName),
    `Somebody, hopefully you, asked to change the address of your account to ${newAddress}. It changes once the code that we mailed there is entered.`,
    'If it was not you, somebody knows your password. Set a new one now:',
    { link: `${publicUrl}/login`, label: 'Go to login' },
  ])
}

/** To the address that is no longer the account's. */
export function addressChangedMail(to: string, firstName: string, newAddress: string): Mail {
  return mail(to, 'The address of your Rookery account was changed', [
    greeting(firstName),
    `The address of your account is now ${newAddress}. This one no longer opens it.`,
    'If it was not you, answer to whoever runs this Rookery at once.',
  ])
}

/** Of a change to how the account is protected. `what` is a sentence. */
export function securityMail(to: string, firstName: string, what: string, publicUrl: string): Mail {
  return mail(to, 'The security of your Rookery account was changed', [
    greeting(firstName),
    what,
    'If it was not you, set a new password now, and look at the security of your profile:',
    { link: `${publicUrl}/login`, label: 'Go to login' },
  ])
}

export function recoveryCodeUsedMail(to: string, firstName: string, left: number, publicUrl: string): Mail {
  const rest =
    left === 0
      ? 'It was the last one: make new ones in your profile.'
      : `${left} of them ${left === 1 ? 'is' : 'are'} left.`
  return securityMail(to, firstName, `A recovery code of your account was used to log in. ${rest}`, publicUrl)
}

/** Whoever got this far knew the password. */
export function secondFactorGuessedMail(to: string, firstName: string, publicUrl: string): Mail {
  return mail(to, 'Somebody knows your Rookery password', [
    greeting(firstName),
    'Somebody entered the right password of your account and then several wrong codes. They were not let in.',
    'If it was not you, set a new password now:',
    { link: `${publicUrl}/login`, label: 'Go to login' },
  ])
}

const greeting = (firstName: string) => (firstName ? `Hello ${firstName},` : 'Hello,')
