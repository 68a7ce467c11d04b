/**
 * Stands in for the administration of accounts in the application's bundle: it asks for the service's own key,
 * which no browser has. The platform's client makes one of these for every page.
 */
export default class AuthAdmin {}
