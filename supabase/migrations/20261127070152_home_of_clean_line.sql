-- The comment of private.clean_line named another home of its twin in TypeScript.

set check_function_bodies = off;

COMMENT ON FUNCTION "private"."clean_line"(text) IS 'A text of one line as others may read it: line breaks are spaces, spaces single and none at its ends; without controls, signs of no width and those that reverse what follows; empty where nothing is to be seen. cleanLine of _shared/http.';
