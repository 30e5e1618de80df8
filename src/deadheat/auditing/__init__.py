"""The verb `audit`: results checked against themselves and against what is published of them."""
