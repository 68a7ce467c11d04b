/**
 * Types of the database's public schema, made from its catalog by `npm run types`. Never edited
 * by hand: a test fails when they differ from what the migrations make.
 */

export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  public: {
    Tables: {
      answer_templates: {
        Row: {
          body: string
          name: string
          org_id: string
          position: number
        }
        Insert: {
          body: string
          name: string
          org_id: string
          position: number
        }
        Update: {
          body?: string
          name?: string
          org_id?: string
          position?: number
        }
        Relationships: [
          {
            foreignKeyName: "answer_templates_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
        ]
      }
      audit_events: {
        Row: {
          action: string
          actor_name: string | null
          created_at: string
          detail: NonNullable<Json>
          id: string
          org_id: string
          subject_id: string | null
          subject_type: string
          user_id: string | null
        }
        Insert: {
          action: string
          actor_name?: string | null
          created_at?: string
          detail?: NonNullable<Json>
          id?: string
          org_id: string
          subject_id?: string | null
          subject_type: string
          user_id?: string | null
        }
        Update: {
          action?: string
          actor_name?: string | null
          created_at?: string
          detail?: NonNullable<Json>
          id?: string
          org_id?: string
          subject_id?: string | null
          subject_type?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "audit_events_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
        ]
      }
      campaign_daily_stats: {
        Row: {
          campaign_id: string
          day: string
          five_star_reviews: number
          four_star_reviews: number
          free_redemptions: number
          free_spins: number
          free_wins: number
          one_star_reviews: number
          org_id: string
          points_wins: number
          public_clicks: number
          rating_sum: number
          redemptions: number
          reviews: number
          scans: number
          shard: number
          spins: number
          store_id: string
          three_star_reviews: number
          two_star_reviews: number
          wins: number
        }
        Insert: {
          campaign_id: string
          day: string
          five_star_reviews?: number
          four_star_reviews?: number
          free_redemptions?: number
          free_spins?: number
          free_wins?: number
          one_star_reviews?: number
          org_id: string
          points_wins?: number
          public_clicks?: number
          rating_sum?: number
          redemptions?: number
          reviews?: number
          scans?: number
          shard: number
          spins?: number
          store_id: string
          three_star_reviews?: number
          two_star_reviews?: number
          wins?: number
        }
        Update: {
          campaign_id?: string
          day?: string
          five_star_reviews?: number
          four_star_reviews?: number
          free_redemptions?: number
          free_spins?: number
          free_wins?: number
          one_star_reviews?: number
          org_id?: string
          points_wins?: number
          public_clicks?: number
          rating_sum?: number
          redemptions?: number
          reviews?: number
          scans?: number
          shard?: number
          spins?: number
          store_id?: string
          three_star_reviews?: number
          two_star_reviews?: number
          wins?: number
        }
        Relationships: [
          {
            foreignKeyName: "campaign_daily_stats_org_id_campaign_id_fkey"
            columns: ["org_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      campaign_reward_totals: {
        Row: {
          campaign_id: string
          org_id: string
          redemptions: number
          reward_id: string
          shard: number
        }
        Insert: {
          campaign_id: string
          org_id: string
          redemptions?: number
          reward_id: string
          shard: number
        }
        Update: {
          campaign_id?: string
          org_id?: string
          redemptions?: number
          reward_id?: string
          shard?: number
        }
        Relationships: [
          {
            foreignKeyName: "campaign_reward_totals_org_id_reward_id_fkey"
            columns: ["org_id", "reward_id"]
            isOneToOne: false
            referencedRelation: "rewards"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      campaign_rules: {
        Row: {
          campaign_id: string
          content: NonNullable<Json>
          content_hash: string
          org_id: string
          published_at: string
          version: number
        }
        Insert: {
          campaign_id: string
          content: NonNullable<Json>
          content_hash: string
          org_id: string
          published_at?: string
          version: number
        }
        Update: {
          campaign_id?: string
          content?: NonNullable<Json>
          content_hash?: string
          org_id?: string
          published_at?: string
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "campaign_rules_org_id_campaign_id_fkey"
            columns: ["org_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      campaign_slug_redirects: {
        Row: {
          campaign_id: string
          created_at: string
          org_id: string
          slug: string
        }
        Insert: {
          campaign_id: string
          created_at?: string
          org_id: string
          slug: string
        }
        Update: {
          campaign_id?: string
          created_at?: string
          org_id?: string
          slug?: string
        }
        Relationships: [
          {
            foreignKeyName: "campaign_slug_redirects_org_id_campaign_id_fkey"
            columns: ["org_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      campaigns: {
        Row: {
          active: boolean
          archived_at: string | null
          created_at: string
          description: string | null
          ends_at: string | null
          id: string
          name: string
          org_id: string
          play_interval_days: number
          poster_at: string | null
          rules_stale: boolean
          rules_version: number
          slug: string
          starts_at: string | null
          store_id: string
          translations: NonNullable<Json>
          version: number
        }
        Insert: {
          active?: boolean
          archived_at?: string | null
          created_at?: string
          description?: string | null
          ends_at?: string | null
          id?: string
          name: string
          org_id: string
          play_interval_days?: number
          poster_at?: string | null
          rules_stale?: boolean
          rules_version?: number
          slug: string
          starts_at?: string | null
          store_id: string
          translations?: NonNullable<Json>
          version?: number
        }
        Update: {
          active?: boolean
          archived_at?: string | null
          created_at?: string
          description?: string | null
          ends_at?: string | null
          id?: string
          name?: string
          org_id?: string
          play_interval_days?: number
          poster_at?: string | null
          rules_stale?: boolean
          rules_version?: number
          slug?: string
          starts_at?: string | null
          store_id?: string
          translations?: NonNullable<Json>
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "campaigns_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "campaigns_org_id_store_id_fkey"
            columns: ["org_id", "store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      customer_totals: {
        Row: {
          consents: number
          customers: number
          org_id: string
          participants: number
        }
        Insert: {
          consents?: number
          customers?: number
          org_id: string
          participants?: number
        }
        Update: {
          consents?: number
          customers?: number
          org_id?: string
          participants?: number
        }
        Relationships: [
          {
            foreignKeyName: "customer_totals_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: true
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
        ]
      }
      customers: {
        Row: {
          consent_at: string | null
          consent_by: string | null
          consent_locale: string | null
          consent_marketing: boolean
          consent_organizer: string | null
          consent_version: number | null
          consent_withdrawn_at: string | null
          consent_withdrawn_by: string | null
          created_at: string
          email: string | null
          email_normalized: string | null
          first_name: string | null
          id: string
          last_activity_at: string | null
          last_activity_day: string | null
          last_name: string | null
          locale: string
          name: string
          name_key: string
          note: string | null
          org_id: string
          phone: string | null
          phone_normalized: string | null
          rating_band: number
          rating_sum: number
          redemption_count: number
          review_count: number
          search_words: string
          spin_count: number
          store_id: string | null
          version: number
        }
        Insert: {
          consent_at?: string | null
          consent_by?: string | null
          consent_locale?: string | null
          consent_marketing?: boolean
          consent_organizer?: string | null
          consent_version?: number | null
          consent_withdrawn_at?: string | null
          consent_withdrawn_by?: string | null
          created_at?: string
          email?: string | null
          email_normalized?: never
          first_name?: string | null
          id?: string
          last_activity_at?: string | null
          last_activity_day?: never
          last_name?: string | null
          locale?: string
          name: string
          name_key?: never
          note?: string | null
          org_id: string
          phone?: string | null
          phone_normalized?: never
          rating_band?: never
          rating_sum?: number
          redemption_count?: number
          review_count?: number
          search_words?: never
          spin_count?: number
          store_id?: string | null
          version?: number
        }
        Update: {
          consent_at?: string | null
          consent_by?: string | null
          consent_locale?: string | null
          consent_marketing?: boolean
          consent_organizer?: string | null
          consent_version?: number | null
          consent_withdrawn_at?: string | null
          consent_withdrawn_by?: string | null
          created_at?: string
          email?: string | null
          email_normalized?: never
          first_name?: string | null
          id?: string
          last_activity_at?: string | null
          last_activity_day?: never
          last_name?: string | null
          locale?: string
          name?: string
          name_key?: never
          note?: string | null
          org_id?: string
          phone?: string | null
          phone_normalized?: never
          rating_band?: never
          rating_sum?: number
          redemption_count?: number
          review_count?: number
          search_words?: never
          spin_count?: number
          store_id?: string | null
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "customers_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "customers_org_id_store_id_fkey"
            columns: ["org_id", "store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      notification_preferences: {
        Row: {
          email: boolean
          low_ratings: boolean
          monthly_report: boolean
          next_report_at: string | null
          next_summary_at: string | null
          org_id: string
          push_asked_at: string | null
          push_low_ratings: boolean
          push_low_stock: boolean
          sms: boolean
          summary: string
          unsubscribe_secret: string
          unsubscribe_token: string | null
          user_id: string
        }
        Insert: {
          email?: boolean
          low_ratings?: boolean
          monthly_report?: boolean
          next_report_at?: string | null
          next_summary_at?: string | null
          org_id: string
          push_asked_at?: string | null
          push_low_ratings?: boolean
          push_low_stock?: boolean
          sms?: boolean
          summary?: string
          unsubscribe_secret?: string
          unsubscribe_token?: string | null
          user_id: string
        }
        Update: {
          email?: boolean
          low_ratings?: boolean
          monthly_report?: boolean
          next_report_at?: string | null
          next_summary_at?: string | null
          org_id?: string
          push_asked_at?: string | null
          push_low_ratings?: boolean
          push_low_stock?: boolean
          sms?: boolean
          summary?: string
          unsubscribe_secret?: string
          unsubscribe_token?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "notification_preferences_org_id_user_id_fkey"
            columns: ["org_id", "user_id"]
            isOneToOne: true
            referencedRelation: "organization_members"
            referencedColumns: ["org_id", "user_id"]
          },
        ]
      }
      organization_brands: {
        Row: {
          color: string | null
          logo: string | null
          logo_height: number | null
          logo_width: number | null
          org_id: string
          updated_at: string
        }
        Insert: {
          color?: string | null
          logo?: string | null
          logo_height?: number | null
          logo_width?: number | null
          org_id: string
          updated_at?: string
        }
        Update: {
          color?: string | null
          logo?: string | null
          logo_height?: number | null
          logo_width?: number | null
          org_id?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "organization_brands_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: true
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
        ]
      }
      organization_members: {
        Row: {
          added_at: string
          org_id: string
          role: string
          role_org_key: string | null
          store_id: string | null
          user_id: string
        }
        Insert: {
          added_at?: string
          org_id: string
          role: string
          role_org_key?: never
          store_id?: string | null
          user_id: string
        }
        Update: {
          added_at?: string
          org_id?: string
          role?: string
          role_org_key?: never
          store_id?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "organization_members_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "organization_members_org_id_store_id_fkey"
            columns: ["org_id", "store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "organization_members_role_fkey"
            columns: ["role"]
            isOneToOne: false
            referencedRelation: "roles"
            referencedColumns: ["role"]
          },
          {
            foreignKeyName: "organization_members_role_org_key_role_fkey"
            columns: ["role_org_key", "role"]
            isOneToOne: false
            referencedRelation: "roles"
            referencedColumns: ["org_id", "role"]
          },
        ]
      }
      organization_slug_redirects: {
        Row: {
          created_at: string
          org_id: string
          slug: string
        }
        Insert: {
          created_at?: string
          org_id: string
          slug: string
        }
        Update: {
          created_at?: string
          org_id?: string
          slug?: string
        }
        Relationships: [
          {
            foreignKeyName: "organization_slug_redirects_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
        ]
      }
      organizations: {
        Row: {
          created_at: string
          erase_at: string | null
          id: string
          name: string
          return_share: number
          slug: string
          version: number
        }
        Insert: {
          created_at?: string
          erase_at?: string | null
          id?: string
          name: string
          return_share?: number
          slug: string
          version?: number
        }
        Update: {
          created_at?: string
          erase_at?: string | null
          id?: string
          name?: string
          return_share?: number
          slug?: string
          version?: number
        }
        Relationships: []
      }
      plan_limits: {
        Row: {
          advanced_analytics: boolean
          api_access: boolean
          csv_export: boolean
          custom_roles: boolean
          max_active_campaigns: number
          max_users: number
          monthly_spins: number
          multi_store: boolean
          plan: string
          white_label: boolean
        }
        Insert: {
          advanced_analytics: boolean
          api_access: boolean
          csv_export: boolean
          custom_roles: boolean
          max_active_campaigns: number
          max_users: number
          monthly_spins: number
          multi_store: boolean
          plan: string
          white_label: boolean
        }
        Update: {
          advanced_analytics?: boolean
          api_access?: boolean
          csv_export?: boolean
          custom_roles?: boolean
          max_active_campaigns?: number
          max_users?: number
          monthly_spins?: number
          multi_store?: boolean
          plan?: string
          white_label?: boolean
        }
        Relationships: []
      }
      points_ledger: {
        Row: {
          created_at: string
          customer_id: string
          expires_at: string | null
          id: string
          kind: string
          lot_id: string | null
          org_id: string
          points: number
          remaining: number | null
          reward_id: string | null
          spend_id: string | null
          spin_id: string | null
        }
        Insert: {
          created_at?: string
          customer_id: string
          expires_at?: string | null
          id?: string
          kind?: string
          lot_id?: string | null
          org_id: string
          points: number
          remaining?: number | null
          reward_id?: string | null
          spend_id?: string | null
          spin_id?: string | null
        }
        Update: {
          created_at?: string
          customer_id?: string
          expires_at?: string | null
          id?: string
          kind?: string
          lot_id?: string | null
          org_id?: string
          points?: number
          remaining?: number | null
          reward_id?: string | null
          spend_id?: string | null
          spin_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "points_ledger_org_id_customer_id_fkey"
            columns: ["org_id", "customer_id"]
            isOneToOne: false
            referencedRelation: "customers"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "points_ledger_org_id_lot_id_fkey"
            columns: ["org_id", "lot_id"]
            isOneToOne: false
            referencedRelation: "points_ledger"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "points_ledger_org_id_reward_id_fkey"
            columns: ["org_id", "reward_id"]
            isOneToOne: false
            referencedRelation: "rewards"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "points_ledger_org_id_spin_id_fkey"
            columns: ["org_id", "spin_id"]
            isOneToOne: true
            referencedRelation: "spins"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "points_ledger_spend_fkey"
            columns: ["org_id", "spend_id"]
            isOneToOne: false
            referencedRelation: "points_spends"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      points_rewards: {
        Row: {
          active: boolean
          cost: number
          created_at: string
          id: string
          name: string
          org_id: string
          stock: number
          translations: NonNullable<Json>
          version: number
        }
        Insert: {
          active?: boolean
          cost: number
          created_at?: string
          id?: string
          name: string
          org_id: string
          stock?: number
          translations?: NonNullable<Json>
          version?: number
        }
        Update: {
          active?: boolean
          cost?: number
          created_at?: string
          id?: string
          name?: string
          org_id?: string
          stock?: number
          translations?: NonNullable<Json>
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "points_rewards_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
        ]
      }
      points_spends: {
        Row: {
          by_team: boolean
          code: string
          code_key: string | null
          created_at: string
          customer_id: string | null
          expires_at: string
          id: string
          org_id: string
          points: number
          points_reward_id: string | null
          request_id: string
          reward_name: string
          status: string
          used_at: string | null
          used_by: string | null
          used_key_id: string | null
          used_request_id: string | null
          used_store_id: string | null
        }
        Insert: {
          by_team?: boolean
          code: string
          code_key?: never
          created_at?: string
          customer_id?: string | null
          expires_at: string
          id?: string
          org_id: string
          points: number
          points_reward_id?: string | null
          request_id: string
          reward_name: string
          status?: string
          used_at?: string | null
          used_by?: string | null
          used_key_id?: string | null
          used_request_id?: string | null
          used_store_id?: string | null
        }
        Update: {
          by_team?: boolean
          code?: string
          code_key?: never
          created_at?: string
          customer_id?: string | null
          expires_at?: string
          id?: string
          org_id?: string
          points?: number
          points_reward_id?: string | null
          request_id?: string
          reward_name?: string
          status?: string
          used_at?: string | null
          used_by?: string | null
          used_key_id?: string | null
          used_request_id?: string | null
          used_store_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "points_spends_org_id_customer_id_fkey"
            columns: ["org_id", "customer_id"]
            isOneToOne: false
            referencedRelation: "customers"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "points_spends_org_id_points_reward_id_fkey"
            columns: ["org_id", "points_reward_id"]
            isOneToOne: false
            referencedRelation: "points_rewards"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "points_spends_org_id_used_store_id_fkey"
            columns: ["org_id", "used_store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      pre_spin_reviews: {
        Row: {
          assigned_to: string | null
          campaign_id: string
          claimed_at: string | null
          claimed_by: string | null
          consent_marketing: boolean
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string | null
          customer_phone: string | null
          end_user_email: string | null
          end_user_id: string | null
          feedback_at: string | null
          handling: string | null
          handling_version: number
          id: string
          locale: string | null
          org_id: string
          public_click_at: string | null
          rating: number
          review_text: string | null
          seen_at: string | null
          source: string
          store_id: string
          submitted_at: string
          visit_id: string
        }
        Insert: {
          assigned_to?: string | null
          campaign_id: string
          claimed_at?: string | null
          claimed_by?: string | null
          consent_marketing?: boolean
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          end_user_email?: never
          end_user_id?: never
          feedback_at?: string | null
          handling?: string | null
          handling_version?: number
          id?: string
          locale?: string | null
          org_id: string
          public_click_at?: string | null
          rating: number
          review_text?: string | null
          seen_at?: string | null
          source?: string
          store_id: string
          submitted_at?: string
          visit_id: string
        }
        Update: {
          assigned_to?: string | null
          campaign_id?: string
          claimed_at?: string | null
          claimed_by?: string | null
          consent_marketing?: boolean
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          end_user_email?: never
          end_user_id?: never
          feedback_at?: string | null
          handling?: string | null
          handling_version?: number
          id?: string
          locale?: string | null
          org_id?: string
          public_click_at?: string | null
          rating?: number
          review_text?: string | null
          seen_at?: string | null
          source?: string
          store_id?: string
          submitted_at?: string
          visit_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "pre_spin_reviews_org_id_campaign_id_fkey"
            columns: ["org_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "pre_spin_reviews_org_id_customer_id_fkey"
            columns: ["org_id", "customer_id"]
            isOneToOne: false
            referencedRelation: "customers"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "pre_spin_reviews_org_id_store_id_fkey"
            columns: ["org_id", "store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      public_ratings: {
        Row: {
          day: string
          org_id: string
          rating: number
          reviews: number
          store_id: string
          typed_at: string
        }
        Insert: {
          day: string
          org_id: string
          rating: number
          reviews: number
          store_id: string
          typed_at?: string
        }
        Update: {
          day?: string
          org_id?: string
          rating?: number
          reviews?: number
          store_id?: string
          typed_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "public_ratings_org_id_store_id_fkey"
            columns: ["org_id", "store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      redemption_events: {
        Row: {
          action: string
          api_key_id: string | null
          created_at: string
          id: string
          org_id: string
          redemption_id: string
          request_id: string | null
          store_id: string | null
          user_id: string | null
        }
        Insert: {
          action: string
          api_key_id?: string | null
          created_at?: string
          id?: string
          org_id: string
          redemption_id: string
          request_id?: string | null
          store_id?: string | null
          user_id?: string | null
        }
        Update: {
          action?: string
          api_key_id?: string | null
          created_at?: string
          id?: string
          org_id?: string
          redemption_id?: string
          request_id?: string | null
          store_id?: string | null
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "redemption_events_org_id_redemption_id_fkey"
            columns: ["org_id", "redemption_id"]
            isOneToOne: false
            referencedRelation: "redemptions"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "redemption_events_org_id_store_id_fkey"
            columns: ["org_id", "store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      redemptions: {
        Row: {
          campaign_id: string
          code: string
          code_key: string | null
          created_at: string
          customer_id: string | null
          end_user_email: string | null
          end_user_name: string | null
          expires_at: string | null
          id: string
          org_id: string
          reward_id: string
          reward_name: string
          spin_id: string | null
          status: string
          store_id: string
          used_at: string | null
          used_by: string | null
          used_store_id: string | null
          verdict: string | null
          words: string | null
        }
        Insert: {
          campaign_id: string
          code: string
          code_key?: never
          created_at?: string
          customer_id?: string | null
          end_user_email?: string | null
          end_user_name?: string | null
          expires_at?: string | null
          id?: string
          org_id: string
          reward_id: string
          reward_name: string
          spin_id?: string | null
          status?: string
          store_id: string
          used_at?: string | null
          used_by?: string | null
          used_store_id?: string | null
          verdict?: string | null
          words?: never
        }
        Update: {
          campaign_id?: string
          code?: string
          code_key?: never
          created_at?: string
          customer_id?: string | null
          end_user_email?: string | null
          end_user_name?: string | null
          expires_at?: string | null
          id?: string
          org_id?: string
          reward_id?: string
          reward_name?: string
          spin_id?: string | null
          status?: string
          store_id?: string
          used_at?: string | null
          used_by?: string | null
          used_store_id?: string | null
          verdict?: string | null
          words?: never
        }
        Relationships: [
          {
            foreignKeyName: "redemptions_org_id_campaign_id_fkey"
            columns: ["org_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "redemptions_org_id_customer_id_fkey"
            columns: ["org_id", "customer_id"]
            isOneToOne: false
            referencedRelation: "customers"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "redemptions_org_id_reward_id_fkey"
            columns: ["org_id", "reward_id"]
            isOneToOne: false
            referencedRelation: "rewards"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "redemptions_org_id_spin_id_fkey"
            columns: ["org_id", "spin_id"]
            isOneToOne: true
            referencedRelation: "spins"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "redemptions_org_id_store_id_fkey"
            columns: ["org_id", "store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "redemptions_org_id_used_store_id_fkey"
            columns: ["org_id", "used_store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      review_actions: {
        Row: {
          actor_name: string | null
          assignee_id: string | null
          assignee_name: string | null
          body: string | null
          created_at: string
          delivery: string | null
          id: string
          kind: string
          message_id: string | null
          org_id: string
          redemption_id: string | null
          request_id: string | null
          review_id: string
          user_id: string | null
        }
        Insert: {
          actor_name?: string | null
          assignee_id?: string | null
          assignee_name?: string | null
          body?: string | null
          created_at?: string
          delivery?: string | null
          id?: string
          kind: string
          message_id?: string | null
          org_id: string
          redemption_id?: string | null
          request_id?: string | null
          review_id: string
          user_id?: string | null
        }
        Update: {
          actor_name?: string | null
          assignee_id?: string | null
          assignee_name?: string | null
          body?: string | null
          created_at?: string
          delivery?: string | null
          id?: string
          kind?: string
          message_id?: string | null
          org_id?: string
          redemption_id?: string | null
          request_id?: string | null
          review_id?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "review_actions_org_id_redemption_id_fkey"
            columns: ["org_id", "redemption_id"]
            isOneToOne: false
            referencedRelation: "redemptions"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "review_actions_org_id_review_id_fkey"
            columns: ["org_id", "review_id"]
            isOneToOne: false
            referencedRelation: "pre_spin_reviews"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      reward_daily_stats: {
        Row: {
          day: string
          org_id: string
          redemptions: number
          reward_id: string
          wins: number
        }
        Insert: {
          day: string
          org_id: string
          redemptions?: number
          reward_id: string
          wins?: number
        }
        Update: {
          day?: string
          org_id?: string
          redemptions?: number
          reward_id?: string
          wins?: number
        }
        Relationships: [
          {
            foreignKeyName: "reward_daily_stats_org_id_reward_id_fkey"
            columns: ["org_id", "reward_id"]
            isOneToOne: false
            referencedRelation: "rewards"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      reward_totals: {
        Row: {
          best_day: number
          codes: number
          expirations: number
          org_id: string
          redemptions: number
          reward_id: string
          wins: number
        }
        Insert: {
          best_day?: number
          codes?: number
          expirations?: number
          org_id: string
          redemptions?: number
          reward_id: string
          wins?: number
        }
        Update: {
          best_day?: number
          codes?: number
          expirations?: number
          org_id?: string
          redemptions?: number
          reward_id?: string
          wins?: number
        }
        Relationships: [
          {
            foreignKeyName: "reward_totals_org_id_reward_id_fkey"
            columns: ["org_id", "reward_id"]
            isOneToOne: true
            referencedRelation: "rewards"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      rewards: {
        Row: {
          active: boolean
          archived_at: string | null
          campaign_id: string
          code_template: string | null
          created_at: string
          description: string | null
          id: string
          item_translations: NonNullable<Json>
          max_per_user: number
          metadata: Json | null
          name: string
          org_id: string
          picture: string | null
          reward_type: string
          stock: number
          translations: NonNullable<Json>
          type: string
          value: number | null
          version: number
        }
        Insert: {
          active?: boolean
          archived_at?: string | null
          campaign_id: string
          code_template?: string | null
          created_at?: string
          description?: string | null
          id?: string
          item_translations?: NonNullable<Json>
          max_per_user?: number
          metadata?: Json | null
          name: string
          org_id: string
          picture?: string | null
          reward_type: string
          stock?: number
          translations?: NonNullable<Json>
          type: string
          value?: number | null
          version?: number
        }
        Update: {
          active?: boolean
          archived_at?: string | null
          campaign_id?: string
          code_template?: string | null
          created_at?: string
          description?: string | null
          id?: string
          item_translations?: NonNullable<Json>
          max_per_user?: number
          metadata?: Json | null
          name?: string
          org_id?: string
          picture?: string | null
          reward_type?: string
          stock?: number
          translations?: NonNullable<Json>
          type?: string
          value?: number | null
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "rewards_org_id_campaign_id_fkey"
            columns: ["org_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      role_permissions: {
        Row: {
          org_id: string | null
          permission: string
          role: string
        }
        Insert: {
          org_id?: string | null
          permission: string
          role: string
        }
        Update: {
          org_id?: string | null
          permission?: string
          role?: string
        }
        Relationships: [
          {
            foreignKeyName: "role_permissions_org_id_role_fkey"
            columns: ["org_id", "role"]
            isOneToOne: false
            referencedRelation: "roles"
            referencedColumns: ["org_id", "role"]
          },
          {
            foreignKeyName: "role_permissions_role_fkey"
            columns: ["role"]
            isOneToOne: false
            referencedRelation: "roles"
            referencedColumns: ["role"]
          },
        ]
      }
      roles: {
        Row: {
          created_at: string
          description: string
          name: string | null
          org_id: string | null
          role: string
        }
        Insert: {
          created_at?: string
          description?: string
          name?: string | null
          org_id?: string | null
          role: string
        }
        Update: {
          created_at?: string
          description?: string
          name?: string | null
          org_id?: string | null
          role?: string
        }
        Relationships: [
          {
            foreignKeyName: "roles_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
        ]
      }
      scan_events: {
        Row: {
          campaign_id: string
          created_at: string
          id: string
          org_id: string
          source: string
          store_id: string
        }
        Insert: {
          campaign_id: string
          created_at?: string
          id?: string
          org_id: string
          source?: string
          store_id: string
        }
        Update: {
          campaign_id?: string
          created_at?: string
          id?: string
          org_id?: string
          source?: string
          store_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "scan_events_org_id_campaign_id_fkey"
            columns: ["org_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "scan_events_org_id_store_id_fkey"
            columns: ["org_id", "store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      spins: {
        Row: {
          campaign_id: string
          created_at: string
          customer_id: string | null
          end_user_email: string | null
          end_user_name: string | null
          id: string
          nonce: string
          org_id: string
          play_id: string | null
          result: NonNullable<Json>
          result_type: string
          review_id: string | null
          reward_id: string | null
          rules_version: number
          segment_id: string
          store_id: string
        }
        Insert: {
          campaign_id: string
          created_at?: string
          customer_id?: string | null
          end_user_email?: string | null
          end_user_name?: string | null
          id?: string
          nonce: string
          org_id: string
          play_id?: string | null
          result: NonNullable<Json>
          result_type: string
          review_id?: string | null
          reward_id?: string | null
          rules_version: number
          segment_id: string
          store_id: string
        }
        Update: {
          campaign_id?: string
          created_at?: string
          customer_id?: string | null
          end_user_email?: string | null
          end_user_name?: string | null
          id?: string
          nonce?: string
          org_id?: string
          play_id?: string | null
          result?: NonNullable<Json>
          result_type?: string
          review_id?: string | null
          reward_id?: string | null
          rules_version?: number
          segment_id?: string
          store_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "spins_org_id_campaign_id_fkey"
            columns: ["org_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "spins_org_id_customer_id_fkey"
            columns: ["org_id", "customer_id"]
            isOneToOne: false
            referencedRelation: "customers"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "spins_org_id_review_id_fkey"
            columns: ["org_id", "review_id"]
            isOneToOne: false
            referencedRelation: "pre_spin_reviews"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "spins_org_id_reward_id_fkey"
            columns: ["org_id", "reward_id"]
            isOneToOne: false
            referencedRelation: "rewards"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "spins_org_id_store_id_fkey"
            columns: ["org_id", "store_id"]
            isOneToOne: false
            referencedRelation: "stores"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
      stores: {
        Row: {
          address: string
          archived_at: string | null
          average_basket: number | null
          created_at: string
          google_place_id: string | null
          google_review_url: string | null
          id: string
          name: string
          org_id: string
          review_host_confirmed: string | null
          review_host_confirmed_at: string | null
          review_mode: string
          slug: string
          timezone: string
          version: number
        }
        Insert: {
          address: string
          archived_at?: string | null
          average_basket?: number | null
          created_at?: string
          google_place_id?: string | null
          google_review_url?: string | null
          id?: string
          name: string
          org_id: string
          review_host_confirmed?: string | null
          review_host_confirmed_at?: string | null
          review_mode?: string
          slug: string
          timezone?: string
          version?: number
        }
        Update: {
          address?: string
          archived_at?: string | null
          average_basket?: number | null
          created_at?: string
          google_place_id?: string | null
          google_review_url?: string | null
          id?: string
          name?: string
          org_id?: string
          review_host_confirmed?: string | null
          review_host_confirmed_at?: string | null
          review_mode?: string
          slug?: string
          timezone?: string
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: "stores_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
        ]
      }
      subscriptions: {
        Row: {
          billing: string | null
          cancel_at: string | null
          cancel_at_period_end: boolean
          closed_at: string | null
          created_at: string
          current_period_end: string | null
          due_cents: number | null
          is_ending: boolean
          kept_campaign_ids: string[]
          org_id: string
          past_due_since: string | null
          plan: string
          reconciled_at: string | null
          status: string
          stripe_customer_id: string | null
          stripe_subscription_id: string | null
          suspended_at: string | null
          trial_end: string | null
        }
        Insert: {
          billing?: string | null
          cancel_at?: string | null
          cancel_at_period_end?: boolean
          closed_at?: string | null
          created_at?: string
          current_period_end?: string | null
          due_cents?: number | null
          is_ending?: boolean
          kept_campaign_ids?: string[]
          org_id: string
          past_due_since?: string | null
          plan?: string
          reconciled_at?: string | null
          status?: string
          stripe_customer_id?: string | null
          stripe_subscription_id?: string | null
          suspended_at?: string | null
          trial_end?: string | null
        }
        Update: {
          billing?: string | null
          cancel_at?: string | null
          cancel_at_period_end?: boolean
          closed_at?: string | null
          created_at?: string
          current_period_end?: string | null
          due_cents?: number | null
          is_ending?: boolean
          kept_campaign_ids?: string[]
          org_id?: string
          past_due_since?: string | null
          plan?: string
          reconciled_at?: string | null
          status?: string
          stripe_customer_id?: string | null
          stripe_subscription_id?: string | null
          suspended_at?: string | null
          trial_end?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "subscriptions_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: true
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "subscriptions_plan_fkey"
            columns: ["plan"]
            isOneToOne: false
            referencedRelation: "plan_limits"
            referencedColumns: ["plan"]
          },
        ]
      }
      usage_alerts: {
        Row: {
          created_at: string
          month: string
          org_id: string
          threshold: number
        }
        Insert: {
          created_at?: string
          month: string
          org_id: string
          threshold: number
        }
        Update: {
          created_at?: string
          month?: string
          org_id?: string
          threshold?: number
        }
        Relationships: [
          {
            foreignKeyName: "usage_alerts_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "organizations"
            referencedColumns: ["id"]
          },
        ]
      }
      wheel_segments: {
        Row: {
          campaign_id: string
          color: string
          id: string
          label: string
          org_id: string
          position: number
          reward_id: string | null
          translations: NonNullable<Json>
          weight: number
        }
        Insert: {
          campaign_id: string
          color: string
          id?: string
          label: string
          org_id: string
          position?: number
          reward_id?: string | null
          translations?: NonNullable<Json>
          weight: number
        }
        Update: {
          campaign_id?: string
          color?: string
          id?: string
          label?: string
          org_id?: string
          position?: number
          reward_id?: string | null
          translations?: NonNullable<Json>
          weight?: number
        }
        Relationships: [
          {
            foreignKeyName: "wheel_segments_org_id_campaign_id_fkey"
            columns: ["org_id", "campaign_id"]
            isOneToOne: false
            referencedRelation: "campaigns"
            referencedColumns: ["org_id", "id"]
          },
          {
            foreignKeyName: "wheel_segments_org_id_reward_id_fkey"
            columns: ["org_id", "reward_id"]
            isOneToOne: false
            referencedRelation: "rewards"
            referencedColumns: ["org_id", "id"]
          },
        ]
      }
    }
    Views: {
      organization_plans: {
        Row: {
          current_period_end: string | null
          org_id: string | null
          plan: string | null
          status: string | null
          trial_end: string | null
        }
        Insert: {
          current_period_end?: string | null
          org_id?: string | null
          plan?: string | null
          status?: string | null
          trial_end?: string | null
        }
        Update: {
          current_period_end?: string | null
          org_id?: string | null
          plan?: string | null
          status?: string | null
          trial_end?: string | null
        }
        Relationships: []
      }
    }
    Functions: {
      accept_invitation: { Args: { p_token: string }; Returns: Json }
      accept_waiting_invitation: { Args: { p_id: string }; Returns: Json }
      account_deletion_summary: {
        Args: Record<PropertyKey, never>
        Returns: Json
      }
      answer_push_question: { Args: { p_org_id: string }; Returns: undefined }
      answer_review: {
        Args: {
          p_body: string
          p_id: string
          p_request_id: string
          p_reward_id?: string
          p_version: number
        }
        Returns: Json
      }
      api_keys: { Args: { p_org_id: string }; Returns: Json }
      apply_subscription: {
        Args: {
          p_billing: string
          p_cancel_at?: string
          p_cancel_at_period_end: boolean
          p_current_period_end: string
          p_customer_id: string
          p_due_cents?: number
          p_ended_at: string
          p_now?: string
          p_past_due_since: string
          p_plan: string
          p_state: string
          p_subscription_id: string
        }
        Returns: boolean
      }
      archive_campaigns: {
        Args: { p_ids: string[]; p_org_id: string }
        Returns: number
      }
      archive_rewards: {
        Args: { p_ids: string[]; p_org_id: string }
        Returns: number
      }
      assign_review: {
        Args: { p_colleague_id?: string; p_id: string }
        Returns: undefined
      }
      audit_trail: {
        Args: {
          p_action?: string
          p_after?: string
          p_before?: string
          p_org_id: string
          p_person_id?: string
        }
        Returns: Json
      }
      begin_api_request: {
        Args: { p_address_hash: string; p_key_hash: string; p_key_id: string }
        Returns: Record<string, unknown>
      }
      begin_billing: {
        Args: {
          p_aal: string
          p_org_id?: string
          p_session_id: string
          p_user_id: string
        }
        Returns: Record<string, unknown>
      }
      begin_brand_logo: {
        Args: {
          p_aal: string
          p_org_id: string
          p_session_id: string
          p_user_id: string
        }
        Returns: string
      }
      begin_export: {
        Args: {
          p_aal: string
          p_org_id: string
          p_session_id: string
          p_type: string
          p_user_id: string
        }
        Returns: Record<string, unknown>
      }
      begin_export_organization: {
        Args: {
          p_aal: string
          p_is_noted: boolean
          p_org_id: string
          p_session_id: string
          p_user_id: string
        }
        Returns: string
      }
      billing_overview: { Args: Record<PropertyKey, never>; Returns: Json }
      brand_settings: { Args: { p_org_id: string }; Returns: Json }
      campaign_editor: { Args: { p_id: string }; Returns: Json }
      campaign_list: {
        Args: {
          p_is_archived?: boolean
          p_org_id: string
          p_page?: number
          p_search?: string
          p_sort?: string
        }
        Returns: Json
      }
      campaign_page: { Args: { p_slug: string }; Returns: Json }
      campaign_poster: { Args: { p_campaign_id: string }; Returns: Json }
      campaign_rules_page: {
        Args: { p_slug: string; p_version?: number }
        Returns: Json
      }
      campaign_stats: { Args: { p_campaign_id: string }; Returns: Json }
      change_member_role: {
        Args: { p_member_id: string; p_role: string; p_store_id?: string }
        Returns: undefined
      }
      check_groups: {
        Args: { p_after?: string; p_is_closed?: boolean; p_org_id: string }
        Returns: Json
      }
      check_settings: { Args: { p_campaign_id: string }; Returns: Json }
      claim_review: { Args: { p_hold: string; p_id: string }; Returns: Json }
      closed_campaign_page: { Args: { p_slug: string }; Returns: Json }
      consent_organizer: { Args: { p_token: string }; Returns: Json }
      contact_operator: {
        Args: {
          p_address_hash: string
          p_body: string
          p_email: string
          p_name: string
          p_request_id: string
          p_to: string
          p_topic: string
        }
        Returns: Record<string, unknown>
      }
      copy_account_data: {
        Args: Record<PropertyKey, never>
        Returns: Record<string, unknown>
      }
      copy_customer_data: { Args: { p_id: string }; Returns: Json }
      count_recovery_codes: {
        Args: Record<PropertyKey, never>
        Returns: number
      }
      create_api_key: {
        Args: {
          p_expires_at?: string
          p_name: string
          p_scope: string
          p_store_id?: string
        }
        Returns: Json
      }
      create_organization: {
        Args: { p_name: string; p_slug: string }
        Returns: Json
      }
      create_recovery_codes: {
        Args: Record<PropertyKey, never>
        Returns: string[]
      }
      create_store: {
        Args: {
          p_address: string
          p_google_review_url: string
          p_id?: string
          p_name: string
          p_review_host_confirmed?: string
          p_review_mode: string
          p_slug: string
          p_timezone?: string
        }
        Returns: Json
      }
      customer_count: {
        Args: { p_filters: Json; p_org_id: string }
        Returns: Json
      }
      customer_detail: { Args: { p_id: string }; Returns: Json }
      customer_list: {
        Args: {
          p_after?: string
          p_before?: string
          p_filters?: Json
          p_org_id: string
          p_sort?: string
        }
        Returns: Json
      }
      dashboard: { Args: { p_org_id: string }; Returns: Json }
      decide_check: {
        Args: { p_action: string; p_codes?: string[]; p_id: string }
        Returns: Json
      }
      delete_account: {
        Args: { p_id: string }
        Returns: Record<string, unknown>
      }
      delete_role: { Args: { p_role: string }; Returns: undefined }
      deletion_summary: { Args: { p_org_id: string }; Returns: Json }
      duplicate_campaign: {
        Args: { p_copy_id?: string; p_id: string; p_name: string }
        Returns: Json
      }
      end_organization: { Args: { p_name: string }; Returns: string }
      end_session: { Args: { p_id: string }; Returns: boolean }
      erase_customer: { Args: { p_id: string }; Returns: undefined }
      export_campaigns: {
        Args: { p_filters: Json; p_org_id: string }
        Returns: {
          active: boolean
          begun: string
          created: string
          ended: string
          ends_at: string
          is_archived: boolean
          name: string
          rating_sum: number
          redemptions: number
          reviews: number
          scans: number
          spins: number
          starts_at: string
          store: string
          wins: number
        }[]
      }
      export_customers: {
        Args: { p_filters: Json; p_org_id: string }
        Returns: {
          consent: boolean
          consent_at: string
          created_at: string
          email: string
          first_name: string
          last_activity_at: string
          last_name: string
          locale: string
          name: string
          phone: string
          rating_sum: number
          redemptions: number
          reviews: number
          spins: number
          store: string
          wins: number
        }[]
      }
      export_organization: {
        Args: { p_org_id: string }
        Returns: {
          columns: string[]
          name: string
          query: string
        }[]
      }
      export_redemptions: {
        Args: { p_filters: Json; p_is_named: boolean; p_org_id: string }
        Returns: {
          campaign: string
          code: string
          created_at: string
          customer: string
          email: string
          expires_at: string
          origin: string
          reward: string
          status: string
          store: string
          used_at: string
          used_by: string
          used_store: string
        }[]
      }
      export_reviews: {
        Args: {
          p_filters: Json
          p_is_named: boolean
          p_member_id: string
          p_org_id: string
        }
        Returns: {
          answer: string
          answered_at: string
          answered_by: string
          assignee: string
          campaign: string
          created_at: string
          customer: string
          email: string
          gesture: string
          is_erased: boolean
          locale: string
          phone: string
          rating: number
          state: string
          store: string
          text: string
          went_public: boolean
        }[]
      }
      find_anything: {
        Args: { p_limit?: number; p_query: string }
        Returns: Json
      }
      free_slug: {
        Args: { p_kind: string; p_owner_id?: string; p_slug: string }
        Returns: string
      }
      give_goodwill_code: {
        Args: {
          p_id: string
          p_request_id: string
          p_reward_id: string
          p_version: number
        }
        Returns: Json
      }
      invitation_page: { Args: { p_token: string }; Returns: Json }
      invite_member: {
        Args: { p_email: string; p_role: string; p_store_id?: string }
        Returns: string
      }
      is_former_customer: { Args: { p_customer_id: string }; Returns: boolean }
      is_slug_free: {
        Args: { p_kind: string; p_owner_id?: string; p_slug: string }
        Returns: boolean
      }
      keep_campaigns: {
        Args: { p_campaign_ids: string[]; p_org_id: string; p_plan: string }
        Returns: string
      }
      keep_organization: {
        Args: Record<PropertyKey, never>
        Returns: undefined
      }
      leave_organization: {
        Args: Record<PropertyKey, never>
        Returns: undefined
      }
      lock_billing_customer: {
        Args: { p_customer_id: string }
        Returns: string
      }
      lookup_code: {
        Args: { p_code: string; p_store_id: string }
        Returns: Json
      }
      mail_prize: {
        Args: {
          p_address_hash: string
          p_campaign_id: string
          p_email: string
          p_nonce: string
          p_spin_id: string
        }
        Returns: Record<string, unknown>
      }
      mark_review_seen: {
        Args: { p_is_seen: boolean; p_review_id: string }
        Returns: undefined
      }
      monthly_report: {
        Args: {
          p_aal: string
          p_month: string
          p_org_id: string
          p_session_id: string
          p_user_id: string
        }
        Returns: Record<string, unknown>
      }
      my_sessions: {
        Args: Record<PropertyKey, never>
        Returns: {
          created_at: string
          id: string
          ip: string
          is_current: boolean
          last_seen_at: string
          user_agent: string
        }[]
      }
      my_workspace: { Args: Record<PropertyKey, never>; Returns: Json }
      note_poster: { Args: { p_campaign_id: string }; Returns: undefined }
      note_review: {
        Args: { p_body: string; p_id: string; p_request_id: string }
        Returns: undefined
      }
      organization_page: { Args: { p_slug: string }; Returns: Json }
      period_costs: {
        Args: { p_from: string; p_org_id: string; p_to: string }
        Returns: Json
      }
      period_figures: {
        Args: { p_from: string; p_org_id: string; p_to: string }
        Returns: Json
      }
      points_catalogue: { Args: { p_org_id: string }; Returns: Json }
      points_choices: { Args: { p_customer_id: string }; Returns: Json }
      points_wallet: {
        Args: {
          p_address_hash: string
          p_campaign_id: string
          p_locale?: string
          p_proofs: Json
        }
        Returns: Record<string, unknown>
      }
      presence_board: { Args: { p_store_id: string }; Returns: Json }
      prize_status: {
        Args: { p_campaign_id: string; p_nonce: string; p_spin_id: string }
        Returns: Json
      }
      prove_presence: {
        Args: {
          p_address_hash: string
          p_campaign_id: string
          p_device_hash: string
          p_proof: string
        }
        Returns: Record<string, unknown>
      }
      public_rating_question: {
        Args: {
          p_aal: string
          p_session_id: string
          p_store_id: string
          p_user_id: string
        }
        Returns: Record<string, unknown>
      }
      push_settings: { Args: { p_org_id: string }; Returns: Json }
      rate_rating_source: { Args: { p_failed: boolean }; Returns: undefined }
      record_feedback: {
        Args: { p_feedback: string; p_review_id: string }
        Returns: Record<string, unknown>
      }
      record_public_click: {
        Args: { p_campaign_id: string; p_review_id: string }
        Returns: string
      }
      record_review: {
        Args: {
          p_address_hash: string
          p_campaign_id: string
          p_consent_marketing: boolean
          p_email: string
          p_first_name: string
          p_last_name: string
          p_locale?: string
          p_phone: string
          p_rating: number
          p_source: string
          p_visit_id: string
        }
        Returns: Record<string, unknown>
      }
      record_scan: {
        Args: {
          p_address_hash: string
          p_slug: string
          p_source: string
          p_visitor_hash: string
        }
        Returns: string
      }
      redeem_code: {
        Args: {
          p_aal: string
          p_code: string
          p_request_id?: string
          p_session_id: string
          p_store_id: string
          p_user_id: string
        }
        Returns: Record<string, unknown>
      }
      redeem_code_with_key: {
        Args: {
          p_address_hash: string
          p_code: string
          p_key_hash: string
          p_request_id?: string
          p_store_id: string
        }
        Returns: Record<string, unknown>
      }
      remove_campaign: {
        Args: { p_id: string; p_is_archived: boolean }
        Returns: undefined
      }
      remove_member: { Args: { p_member_id: string }; Returns: undefined }
      remove_public_rating: {
        Args: { p_day: string; p_store_id: string }
        Returns: undefined
      }
      remove_push_device: { Args: { p_id: string }; Returns: boolean }
      remove_reward: {
        Args: { p_id: string; p_is_archived: boolean }
        Returns: undefined
      }
      remove_store: {
        Args: { p_id: string; p_is_archived: boolean }
        Returns: undefined
      }
      resend_invitation: { Args: { p_id: string }; Returns: undefined }
      restore_campaign: { Args: { p_id: string }; Returns: undefined }
      restore_code: { Args: { p_id: string }; Returns: undefined }
      review_detail: { Args: { p_id: string }; Returns: Json }
      review_inbox: {
        Args: {
          p_after?: string
          p_before?: string
          p_filters?: Json
          p_org_id: string
        }
        Returns: Json
      }
      revoke_api_key: { Args: { p_id: string }; Returns: undefined }
      reward_codes: {
        Args: {
          p_id: string
          p_page?: number
          p_search?: string
          p_sort?: string
          p_status?: string
        }
        Returns: Json
      }
      reward_list: {
        Args: {
          p_is_archived?: boolean
          p_org_id: string
          p_page?: number
          p_search?: string
          p_sort?: string
        }
        Returns: Json
      }
      reward_stats: { Args: { p_id: string }; Returns: Json }
      save_answer_templates: {
        Args: { p_org_id: string; p_templates?: Json }
        Returns: undefined
      }
      save_brand_color: {
        Args: { p_color?: string; p_org_id: string }
        Returns: undefined
      }
      save_campaign: {
        Args: {
          p_active: boolean
          p_description?: string
          p_ends_at?: string
          p_id: string
          p_name: string
          p_play_interval_days: number
          p_segments?: Json
          p_slug: string
          p_starts_at?: string
          p_store_id: string
          p_translations?: Json
          p_version: number
        }
        Returns: Json
      }
      save_check_settings: {
        Args: {
          p_campaign_id: string
          p_device_daily_limit?: number
          p_device_names: number
          p_marks_disposable: boolean
          p_network_names: number
          p_presence?: string
          p_quiet_from?: string
          p_quiet_to?: string
        }
        Returns: undefined
      }
      save_customer: {
        Args: {
          p_consent_marketing: boolean
          p_email: string
          p_first_name: string
          p_id: string
          p_last_name: string
          p_note: string
          p_phone: string
          p_version: number
        }
        Returns: Json
      }
      save_notifications: {
        Args: {
          p_email: boolean
          p_low_ratings: boolean
          p_monthly_report?: boolean
          p_org_id: string
          p_sms: boolean
          p_summary: string
        }
        Returns: undefined
      }
      save_push_device: {
        Args: {
          p_auth: string
          p_endpoint: string
          p_label: string
          p_org_id: string
          p_p256dh: string
        }
        Returns: string
      }
      save_push_kinds: {
        Args: { p_low_ratings: boolean; p_low_stock: boolean; p_org_id: string }
        Returns: undefined
      }
      save_role: {
        Args: {
          p_description: string
          p_name: string
          p_permissions: string[]
          p_role?: string
        }
        Returns: string
      }
      service_status: {
        Args: Record<PropertyKey, never>
        Returns: {
          job_late_s: number
          last_job_at: string
          mail_waiting_s: number
        }[]
      }
      set_average_basket: {
        Args: { p_basket?: number; p_before?: number; p_store_id: string }
        Returns: undefined
      }
      set_billing_customer: {
        Args: { p_customer_id: string; p_org_id: string }
        Returns: undefined
      }
      set_brand_logo: {
        Args: {
          p_aal: string
          p_height: number
          p_logo: string
          p_org_id: string
          p_session_id: string
          p_user_id: string
          p_width: number
        }
        Returns: undefined
      }
      set_public_rating: {
        Args: { p_rating: number; p_reviews: number; p_store_id: string }
        Returns: undefined
      }
      set_return_share: {
        Args: { p_before: number; p_org_id: string; p_share: number }
        Returns: undefined
      }
      set_review_state: {
        Args: { p_id: string; p_state: string; p_version: number }
        Returns: Json
      }
      settings: { Args: { p_org_id: string }; Returns: Json }
      spend_points: {
        Args: {
          p_address_hash: string
          p_campaign_id: string
          p_cost: number
          p_locale?: string
          p_points_reward_id: string
          p_proofs: Json
          p_request_id: string
        }
        Returns: Record<string, unknown>
      }
      spend_points_for: {
        Args: {
          p_cost: number
          p_customer_id: string
          p_points_reward_id: string
          p_request_id: string
          p_store_id: string
        }
        Returns: Json
      }
      spin_wheel: {
        Args: {
          p_address_hash: string
          p_campaign_id: string
          p_device_hash: string
          p_email: string
          p_locale?: string
          p_name: string
          p_phone: string
          p_play_id: string
          p_presence?: string
          p_review_id: string
        }
        Returns: Record<string, unknown>
      }
      stale_logo_files: { Args: { p_org_id: string }; Returns: string[] }
      start_campaign: {
        Args: {
          p_active: boolean
          p_description?: string
          p_ends_at?: string
          p_id: string
          p_is_shared?: boolean
          p_name: string
          p_segments: Json
          p_slug: string
          p_source_id?: string
          p_starts_at?: string
          p_stock?: number
          p_store_id: string
        }
        Returns: Json
      }
      store_list: {
        Args: {
          p_is_archived?: boolean
          p_org_id: string
          p_page?: number
          p_search?: string
          p_sort?: string
        }
        Returns: Json
      }
      store_stats: { Args: { p_id: string }; Returns: Json }
      team: { Args: { p_org_id: string }; Returns: Json }
      test_spin: {
        Args: { p_address_hash: string; p_campaign_id: string }
        Returns: Record<string, unknown>
      }
      timezone_change: {
        Args: { p_store_id: string; p_timezone: string }
        Returns: Json
      }
      transfer_ownership: { Args: { p_member_id: string }; Returns: undefined }
      unsubscribe: {
        Args: { p_kind: string; p_token: string }
        Returns: boolean
      }
      use_recovery_code: {
        Args: { p_code: string }
        Returns: Record<string, unknown>
      }
      waiting_invitation: { Args: Record<PropertyKey, never>; Returns: Json }
      withdraw_consents: {
        Args: { p_ids: string[]; p_org_id: string }
        Returns: number
      }
      withdraw_invitation: { Args: { p_id: string }; Returns: undefined }
      withdraw_own_consent: {
        Args: { p_address_hash: string; p_token: string }
        Returns: Record<string, unknown>
      }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] &
        DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] &
        DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends {
  schema: keyof DatabaseWithoutInternals
}
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
