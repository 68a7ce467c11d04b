/** Styles of the prerendered sign-in page, named for the build; the application hydrates the page. */
import "./auth.css";
