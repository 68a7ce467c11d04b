/** French of the other refusals of server functions: the back-office loads these with its first screen. */
export const officeErrorCopy = {
  invalid_request: "Paramètres manquants",
  too_many_attempts: "Trop d'essais. Patientez un instant, puis réessayez.",
  method_not_allowed: "Cette action n'existe pas.",
  not_found: "Cette action n'existe pas.",
  link_unknown: "Ce lien est incomplet.",
  unauthenticated: "Connectez-vous pour continuer.",
  second_factor_required: "Confirmez votre identité avec votre deuxième facteur pour continuer.",
  forbidden: "Vous n'avez pas le droit de valider des codes pour ce magasin.",
  export_forbidden: "Vous n'avez pas le droit d'exporter ces données.",
  export_owner_only: "Seul le propriétaire peut télécharger toutes les données.",
  export_not_in_plan: "L'export CSV est inclus dans le plan Pro.",
  export_busy: "Un autre export est en cours. Réessayez dans un instant.",
  billing_forbidden:
    "Vous devez être propriétaire ou administrateur d'une organisation pour souscrire à un plan",
  payments_off:
    "Le service de facturation n'est pas encore configuré. Veuillez contacter le support.",
  already_subscribed: "Un abonnement est déjà en cours : rechargez la page pour en changer.",
  organization_ending:
    "Cette organisation sera supprimée. Annulez d'abord la suppression depuis le tableau de bord.",
  not_subscribed: "Aucun abonnement actif. Veuillez choisir un plan.",
  campaigns_to_choose: "Choisissez les campagnes qui restent actives.",
  payment_overdue:
    "Une facture reste à régler. Payez-la depuis le portail de facturation, dans vos paramètres, puis changez de plan.",
  preview_outdated:
    "Le montant affiché n'est plus à jour : rien n'a été débité. Vérifiez le nouveau montant, puis réessayez.",
  preview_failed: "Le montant à payer n'a pas pu être calculé. Réessayez dans un instant.",
  checkout_failed: "Erreur lors de la création de la session de paiement",
  update_failed: "Erreur lors de la mise à jour de l'abonnement",
  card_declined:
    "Votre banque n'a pas validé le paiement : rien n'a été débité. Enregistrez de nouveau votre carte, ou une autre, dans le portail de facturation de vos paramètres, puis réessayez.",
  portal_failed: "Erreur lors de l'ouverture du portail de facturation.",
  customer_missing: "Aucun compte de facturation n'existe encore.",
  test_customer_failed: "Erreur lors de la création du client de test.",
  test_customer_not_saved: "Client créé mais erreur lors de la mise à jour de l'abonnement.",
  subscription_closed:
    "Votre plan n'est plus actif : vos données restent lisibles. Choisissez un plan pour continuer.",
  organization_suspended:
    "Cette organisation est suspendue par l'exploitant du service : ses pages publiques sont fermées et rien ne peut être modifié. Vos données restent lisibles et exportables, et vous pouvez gérer votre abonnement.",
  reading_closed:
    "Votre plan est terminé depuis plus de 30 jours : vos données ne sont plus lisibles. Choisissez un plan pour les retrouver.",
  brand_forbidden: "Vous n'avez pas le droit de changer la marque.",
  brand_not_in_plan: "La marque est incluse dans le plan Pro.",
  logo_too_heavy: "L'image dépasse 2 Mo.",
  logo_too_large: "L'image dépasse 12 millions de pixels.",
  logo_unreadable: "Ce n'est pas une image PNG, JPEG ou WebP lisible.",
  internal_error: "Une erreur est survenue. Réessayez dans un instant.",
  service_unavailable:
    "Le service est momentanément indisponible. Réessayez dans quelques secondes.",
} as const;
