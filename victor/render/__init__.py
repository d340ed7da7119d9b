"""Output forms: each is written from the page of a verdict; `victor.render.forms` lists them."""
